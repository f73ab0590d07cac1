package dev.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.Awaiting;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The behaviour of a gateway beyond passing features through, which the feature matrix of the
 * proofs shows.
 */
@Timeout(300)
final class GatewayTest {
    private final Semaphore rootsChanged = new Semaphore(0);
    private final McpServer server = server();
    private final McpServer web = web();
    private final AtomicBoolean down = new AtomicBoolean();
    private final Gateway gateway =
            Gateways.patient()
                    .server("files", server.inProcess())
                    .server(
                            "web",
                            host -> {
                                if (down.get()) {
                                    throw new IOException("it is down");
                                }
                                return web.inProcess().connect(host);
                            })
                    .maxSessions(2)
                    .maxSubscriptions(2)
                    .build();

    private McpServer server() {
        return McpServer.named("files", "1")
                .tool(
                        JsonCodec.of(Tool.class)
                                .read(
                                        (JsonObject)
                                                JsonValue.parse(
                                                        """
                                                        {"name": "raw", "title": "Raw", "inputSchema": {"type": "object"},
                                                         "icons": [{"src": "https://a.example/i.png", "theme": "dark"}],
                                                         "_meta": {"x/y": 1}, "future": {"z": true}}\
                                                        """)))
                .handle(
                        (request, call) ->
                                JsonCodec.of(CallToolResult.class)
                                        .read(
                                                (JsonObject)
                                                        JsonValue.parse(
                                                                """
                                                                {"content": [{"type": "text", "text": "deep", "depth": 3}], "_meta": {"a/b": [1]},
                                                                 "structuredContent": {"n": 1.50}, "future": "kept"}\
                                                                """)))
                .tool("visit", "Needs a visit", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            throw new UrlElicitationRequiredException(
                                    "Visit first",
                                    List.of(
                                            new ElicitUrlRequest(
                                                    "Sign in", "https://a.example/in", "e-1")));
                        })
                .tool("visited", "Reports the visit", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            call.notify(
                                    "notifications/elicitation/complete",
                                    JsonObject.of("elicitationId", "e-1"));
                            return "reported";
                        })
                .tool("log", "Logs a lot", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            for (int i = 0; i < 50; i++) {
                                call.log(LoggingLevel.WARNING, "files", JsonValue.of(i));
                            }
                            return "logged";
                        })
                .resource("note://1", "one", String.class)
                .handle((request, call) -> "1")
                .resource("note://2", "two", String.class)
                .handle((request, call) -> "2")
                .resource("note://3", "three", String.class)
                .handle((request, call) -> "3")
                .notification("notifications/roots/list_changed", JsonObject.class)
                .handle((params, caller) -> rootsChanged.release())
                .build();
    }

    private static McpServer web() {
        return McpServer.named("web", "1")
                .tool("fetch", "Fetches", NoInput.class, String.class)
                .handle((none, call) -> "fetched")
                .build();
    }

    @AfterEach
    void close() {
        gateway.close();
        server.close();
        web.close();
    }

    private static void await(BooleanSupplier condition) {
        Awaiting.await().until(condition::getAsBoolean);
    }

    /** A gateway that has sessions with its server, which since 2026-07-28 do not exist. */
    private Gateway beforeSessions() {
        return Gateways.patient()
                .server(
                        "files",
                        server.inProcess(),
                        files ->
                                files.revisions(
                                        Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE))
                .build();
    }

    /** A client of revisions with sessions. */
    private static McpClient.Builder client() {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE);
    }

    @Test
    void noMemberOfADefinitionOrResultIsLost() throws Exception {
        try (McpClient direct = client().connect(server.inProcess());
                McpClient through = client().connect(gateway.inProcess())) {
            assertThat(through.tools().get(0)).isEqualTo(direct.tools().get(0));
            assertThat(through.tools().get(0).otherMembers().names()).containsExactly("future");
            CallToolResult result = through.callTool("raw", JsonObject.EMPTY);
            assertThat(result).isEqualTo(direct.callTool("raw", JsonObject.EMPTY));
            assertThat(result.otherMembers().string("future")).isEqualTo("kept");
        }
    }

    @Test
    void aToolThatMustBeATaskIsOneBetweenGatewayAndServerOnly() throws Exception {
        try (McpServer reports =
                        McpServer.named("reports", "1")
                                .tool("report", "Reports", NoInput.class, String.class)
                                .task(TaskSupport.REQUIRED)
                                .handle((none, call) -> "as a task: " + call.task().isPresent())
                                .build();
                Gateway fronting = Gateways.patient().server("r", reports.inProcess()).build();
                McpClient client = client().connect(fronting.inProcess())) {
            assertThat(client.tools())
                    .singleElement()
                    .returns(TaskSupport.FORBIDDEN, Tool::taskSupport);
            assertThat(client.callTool("report", JsonObject.EMPTY).text())
                    .isEqualTo("as a task: true");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "V2025_11_25, V2025_11_25",
        "V2025_11_25, V2026_07_28",
        "V2026_07_28, V2025_11_25",
        "V2026_07_28, V2026_07_28"
    })
    void tasksBetweenGatewayAndServerAreHiddenFromTheClient(Revision downstream, Revision upstream)
            throws Exception {
        List<JsonObject> metas = new CopyOnWriteArrayList<>();
        try (McpServer reports =
                        McpServer.named("reports", "1")
                                .tool("report", "Reports", NoInput.class, String.class)
                                .task(TaskSupport.REQUIRED)
                                .handle(
                                        (none, call) -> {
                                            Name name =
                                                    call.elicit("Who?", Name.class).orElseThrow();
                                            return name.name() + call.sample(SAMPLE).text();
                                        })
                                .build();
                Gateway fronting =
                        Gateways.patient()
                                .server(
                                        "r",
                                        reports.inProcess(),
                                        options -> options.revisions(upstream, upstream))
                                .build();
                McpClient client =
                        client().revisions(downstream, downstream)
                                .onElicitForm(
                                        form -> {
                                            metas.add(given(form.request().meta()));
                                            return Answer.accept(new Name("Ada"));
                                        })
                                .onSample(
                                        request -> {
                                            metas.add(given(request.meta()));
                                            return CreateMessageResult.text("small", "Hi");
                                        })
                                .connect(fronting.inProcess())) {
            CallToolResult result = client.callTool("report", JsonObject.EMPTY);
            assertThat(result.text()).startsWith("Ada").contains("Hi");
            metas.add(given(result.meta()));
            assertThat(metas).hasSize(3).containsOnly(JsonObject.EMPTY);
            assertThat(client.callTool("report", JsonObject.EMPTY).text()).startsWith("Ada");
        }
    }

    private record Name(String name) {}

    private static final CreateMessageRequest SAMPLE = CreateMessageRequest.of("Hello", 50);

    /** The metadata without the token of progress and the name of the gateway. */
    private static JsonObject given(@Nullable JsonObject meta) {
        return meta == null
                ? JsonObject.EMPTY
                : meta.without("progressToken").without(MetaKey.SERVER_INFO);
    }

    @Test
    void eachSessionHasConnectionsOfItsOwnAndTheyEndWithIt() throws Exception {
        try (McpClient one = client().connect(gateway.inProcess())) {
            assertThat(server.sessions()).as("nothing was needed yet").isZero();
            one.tools();
            try (McpClient other = client().connect(gateway.inProcess())) {
                other.tools();
                await(() -> server.sessions() == 2 && gateway.sessions() == 2);
            }
            await(() -> server.sessions() == 1 && gateway.sessions() == 1);
        }
        await(() -> server.sessions() == 0 && gateway.sessions() == 0);
    }

    @Test
    void moreSessionsThanAllowedAreRefusedUntilOneEnds() throws Exception {
        try (McpClient one = client().connect(gateway.inProcess());
                McpClient two = client().connect(gateway.inProcess());
                McpClient three = client().connect(gateway.inProcess())) {
            one.tools();
            two.tools();
            assertThatThrownBy(three::tools)
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32000))
                    .hasMessage("Session limit of the gateway reached (2); try again later");
            one.close();
            await(() -> gateway.sessions() == 1);
            assertThat(three.tools()).isNotEmpty();
        }
    }

    @Test
    void moreSubscriptionsThanAllowedAreRefusedUntilOneEnds() throws Exception {
        try (McpClient client = client().connect(gateway.inProcess())) {
            Subscription first = client.watch("note://1", uri -> {});
            client.watch("note://2", uri -> {});
            assertThatThrownBy(() -> client.watch("note://3", uri -> {}))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32000))
                    .hasMessage("Too many subscriptions: at most 2 are kept");
            client.watch("note://2", uri -> {}); // is watched already
            first.close();
            client.watch("note://3", uri -> {});
        }
    }

    @Test
    void aSubscriptionThatFailsTakesNoPlace() throws Exception {
        try (McpClient client = client().connect(gateway.inProcess())) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> client.watch("other://x", uri -> {}))
                        .isInstanceOf(JsonRpcException.class)
                        .hasMessageNotContaining("Too many");
            }
            client.watch("note://1", uri -> {});
            client.watch("note://2", uri -> {});
        }
    }

    @Test
    void anUnavailableServerFailsOnlyItsOwnRequestsAndItsReturnChangesTheList() throws Exception {
        down.set(true);
        BlockingQueue<List<Tool>> changes = new LinkedBlockingQueue<>();
        try (McpClient client =
                client().onToolsChanged(list -> changes.add(list.tools()))
                        .connect(gateway.inProcess())) {
            assertThat(client.tools()).extracting(Tool::name).doesNotContain("fetch");
            down.set(false);
            List<Tool> tools = List.of();
            while (tools.stream().noneMatch(tool -> tool.name().equals("fetch"))) {
                tools = changes.poll(60, TimeUnit.SECONDS);
                assertThat(tools).as("a change that has it").isNotNull();
            }
            assertThat(client.callTool("fetch", JsonObject.EMPTY).text()).isEqualTo("fetched");
        }
    }

    @Test
    void theCauseOfAnUnavailableServerIsNotDisclosed() throws Exception {
        try (McpClient client = client().connect(gateway.inProcess())) {
            assertThat(client.callTool("fetch", JsonObject.EMPTY).text()).isEqualTo("fetched");
            down.set(true);
            web.close();
            await(() -> isRefused(client));
        }
    }

    private static boolean isRefused(McpClient client) {
        try {
            client.callTool("fetch", JsonObject.EMPTY);
            return false;
        } catch (JsonRpcException e) {
            assertThat(e.getMessage()).isEqualTo("The server web is not available");
            assertThat(e.data()).isEqualTo(JsonObject.of("server", "web"));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void aRequestThatGivesUpLeavesTheServersThatAreBeingConnectedToOthers() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch attempted = new CountDownLatch(1);
        CountDownLatch ready = new CountDownLatch(1);
        Remote slow =
                host -> {
                    attempts.incrementAndGet();
                    attempted.countDown();
                    ready.await();
                    return server.inProcess().connect(host);
                };
        try (Gateway fronting = Gateways.patient().server("slow", slow).build();
                McpClient client = client().connect(fronting.inProcess())) {
            Thread first = Thread.ofVirtual().start(() -> tools(client));
            attempted.await();
            first.interrupt();
            first.join();
            ready.countDown();
            assertThat(client.tools()).isNotEmpty();
            assertThat(attempts).hasValue(1);
        }
    }

    @Test
    void aGatewayThatClosesEndsConnectionsUnderWay() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Remote silent =
                host -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        ended.countDown();
                    }
                    throw new IOException("never");
                };
        Gateway fronting = Gateways.patient().server("silent", silent).build();
        try (McpClient client = client().connect(fronting.inProcess())) {
            Thread first = Thread.ofVirtual().start(() -> tools(client));
            begun.await();
            first.interrupt();
            first.join();
            fronting.close();
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void thereMayBeMoreThanAHundredServers() throws Exception {
        Gateway.Builder many = Gateways.patient();
        for (int i = 0; i <= 100; i++) {
            many.server("web" + i, web.inProcess());
        }
        try (Gateway fronting = many.build();
                McpClient client = client().connect(fronting.inProcess())) {
            await(() -> tools(client) == 101);
        }
    }

    private static int tools(McpClient client) {
        try {
            return client.tools().size();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    @Test
    void aPageThatARequestNeedsIsReportedCompleteThroughTheGateway() throws Exception {
        BlockingQueue<String> completed = new LinkedBlockingQueue<>();
        try (Gateway before = beforeSessions();
                McpClient client =
                        client().onElicitUrl(link -> Answer.accept())
                                .onElicitationComplete(completed::add)
                                .connect(before.inProcess())) {
            assertThatThrownBy(() -> client.callTool("visit", JsonObject.EMPTY))
                    .isInstanceOfSatisfying(
                            UrlElicitationRequiredException.class,
                            e ->
                                    assertThat(e.elicitations().get(0).elicitationId())
                                            .isEqualTo("e-1"));
            client.callTool("visited", JsonObject.EMPTY);
            assertThat(completed.poll(60, TimeUnit.SECONDS)).isEqualTo("e-1");
        }
    }

    @Test
    void logMessagesOfACallComeBeforeItsResult() throws Exception {
        BlockingQueue<JsonValue> logged = new LinkedBlockingQueue<>();
        try (McpClient client =
                client().onLog(entry -> logged.add(entry.data())).connect(gateway.inProcess())) {
            for (int round = 0; round < 20; round++) {
                logged.clear();
                client.callTool("log", JsonObject.EMPTY);
                assertThat(client.awaitLog(Gateways.LONG)).isTrue();
                assertThat(logged).hasSize(50);
            }
            client.setLoggingLevel(LoggingLevel.ERROR);
            logged.clear();
            client.callTool("log", JsonObject.EMPTY);
            assertThat(client.awaitLog(Gateways.LONG)).isTrue();
            assertThat(logged).isEmpty();
        }
    }

    @Test
    void aChangeOfTheRootsIsPassedUp() throws Exception {
        try (Gateway before = beforeSessions();
                McpClient client =
                        client().roots(new Root("file:///one")).connect(before.inProcess())) {
            client.tools();
            client.replaceRoots(new Root("file:///two"));
            assertThat(rootsChanged.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void cursorsThatAreNoneAreRefused() throws Exception {
        try (McpClient client = client().connect(gateway.inProcess())) {
            assertThatThrownBy(() -> client.toolPage("x")).hasMessage("Invalid cursor: x");
            assertThatThrownBy(() -> client.toolPage("-1")).hasMessage("Invalid cursor: -1");
            assertThat(client.toolPage("7000").tools()).isEmpty();
        }
    }
}
