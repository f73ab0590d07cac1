package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.RemoteTool;
import dev.fairlead.client.Subscription;
import dev.fairlead.json.Default;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.TypeRef;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The client and the server, joined in memory: each understands the features of the other. */
@Timeout(300)
final class ClientAndServerTest {
    record Query(String city, @Default("1") int days) {}

    record Forecast(String city, List<Integer> highs) {}

    record Confirm(boolean ok, @Default("none") String reason) {}

    record Review(String team, @Nullable String tone) {}

    private static McpServer.Builder server() {
        return McpServer.named("weather", "1.0");
    }

    private static McpClient.Builder client() {
        return McpClient.named("desk", "1.0");
    }

    /** Returns a client for features of sessions. */
    private static McpClient.Builder clientOfSessions() {
        return client().revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE);
    }

    @Test
    @Requirement({"TOOL-013", "TOOL-016"})
    void typedToolsTakeAndGiveRecordsAndListsAndText() throws Exception {
        McpServer server =
                server().tool("forecast", "Weather", Query.class, Forecast.class)
                        .handle((query, call) -> new Forecast(query.city(), List.of(query.days())))
                        .tool("cities", "Cities", NoInput.class, new TypeRef<List<String>>() {})
                        .handle((none, call) -> List.of("Seoul", "Oslo"))
                        .tool("hello", "Greets", Query.class, String.class)
                        .handle((query, call) -> "Hello, " + query.city())
                        .build();
        try (McpClient client = McpClient.connect(server.inProcess())) {
            RemoteTool<Query, Forecast> forecast =
                    client.tool("forecast", Query.class, Forecast.class);
            assertThat(forecast.call(new Query("Seoul", 2)))
                    .isEqualTo(new Forecast("Seoul", List.of(2)));
            assertThat(
                            client.tool("cities", JsonObject.class, new TypeRef<List<String>>() {})
                                    .call(JsonObject.EMPTY))
                    .containsExactly("Seoul", "Oslo");
            assertThat(client.tool("hello", Query.class, String.class).call(new Query("Ada", 1)))
                    .isEqualTo("Hello, Ada");
            CallToolResult raw =
                    client.callTool("forecast", JsonObject.of("city", "Lima", "days", "many"));
            assertThat(raw.isError()).isTrue();
            assertThat(raw.text()).contains("days");
            assertThatThrownBy(() -> client.callTool("nope", JsonObject.EMPTY))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32602));
        }
    }

    /** To the caller of a tool that uses another server, the error of that server says nothing. */
    @Test
    void anErrorOfAnotherServerFailsTheToolThatHasAskedIt() throws Exception {
        McpServer other =
                McpServer.named("other", "1.0")
                        .tool("scoped", "Calls a tool", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    throw new InsufficientScopeException(Set.of("all"));
                                })
                        .build();
        try (McpClient inner = McpClient.connect(other.inProcess())) {
            McpServer server =
                    server().tool("nested", "Calls a tool", Nested.class, String.class)
                            .handle(
                                    (it, call) ->
                                            inner.callTool(it.name(), JsonObject.EMPTY).text())
                            .build();
            try (McpClient client = McpClient.connect(server.inProcess())) {
                for (String name : List.of("nope", "scoped")) {
                    CallToolResult result = client.callTool("nested", JsonObject.of("name", name));
                    assertThat(result.isError()).isTrue();
                    assertThat(result.text())
                            .startsWith("The request tools/call was answered with an error: ");
                }
            }
        }
    }

    record Nested(String name) {}

    @Test
    @Requirement({"PAGE-001", "PAGE-005"})
    void listsOfManyPagesComeWhole() throws Exception {
        McpServer.Builder builder = server().pageSize(7);
        for (int i = 0; i < 50; i++) {
            builder =
                    builder.tool("t" + i, "Tool", NoInput.class, String.class)
                            .handle((none, call) -> "x");
        }
        try (McpClient client = McpClient.connect(builder.build().inProcess())) {
            assertThat(client.tools()).extracting(Tool::name).hasSize(50).doesNotHaveDuplicates();
            assertThat(client.toolPage(null).tools()).hasSize(7);
        }
    }

    @Test
    @Requirement({"RES-007", "RES-008", "RES-009"})
    void updatesOfWatchedResourcesAreDeliveredUntilTheWatchIsClosed() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        McpServer server =
                server().resource("city://seoul", "seoul", String.class)
                        .handle((request, call) -> "sunny")
                        .resource("city://oslo", "oslo", String.class)
                        .handle((request, call) -> "rain")
                        .build();
        try (McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(client.readResource("city://seoul").text()).isEqualTo("sunny");
            client.watch("city://oslo", heard::add);
            // the last watch: the stream of a later one might repeat the update
            Subscription seoul = client.watch("city://seoul", heard::add);
            server.resourceUpdated("city://seoul");
            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("city://seoul");
            seoul.close();
            server.resourceUpdated("city://seoul");
            server.resourceUpdated("city://oslo");
            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("city://oslo");
        }
    }

    @Test
    void noUpdateIsLostWhileAnotherStreamTakesThePlaceOfOne() throws Exception {
        BlockingQueue<String> updated = new LinkedBlockingQueue<>();
        McpServer server =
                server().resource("city://seoul", "seoul", String.class)
                        .handle((request, call) -> "sunny")
                        .resource("city://oslo", "oslo", String.class)
                        .handle((request, call) -> "rain")
                        .build();
        try (McpClient client = McpClient.connect(server.inProcess())) {
            client.watch("city://oslo", updated::add);
            for (int i = 0; i < 300; i++) {
                Subscription seoul = client.watch("city://seoul", uri -> {});
                Thread publishing =
                        Thread.ofVirtual().start(() -> server.resourceUpdated("city://oslo"));
                seoul.close();
                assertThat(updated.poll(60, TimeUnit.SECONDS)).as("%d", i).isNotNull();
                publishing.join();
                updated.clear();
            }
        }
    }

    @Test
    @Requirement({"PROMPT-002", "COMP-005"})
    void promptsAreFilledInAndCompletedInContext() throws Exception {
        McpServer server =
                server().prompt("review", "Review", Review.class)
                        .complete(
                                "tone",
                                (typed, call) ->
                                        List.of(typed.others().get("team") + typed.value()))
                        .handle(
                                (review, call) ->
                                        GetPromptResult.of(
                                                PromptMessage.user(
                                                        review.team() + " " + review.tone())))
                        .build();
        try (McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(client.getPrompt("review", new Review("core", null)).messages().toString())
                    .contains("core null");
            assertThat(
                            client.complete(
                                            new PromptReference("review"),
                                            "tone",
                                            "!",
                                            Map.of("team", "core"))
                                    .completion()
                                    .values())
                    .containsExactly("core!");
        }
    }

    @Test
    @Requirement({"ELIC-012", "ELIC-013", "SAMP-005", "ROOT-002"})
    void aHandlerMayAskForEverythingThatTheClientDeclared() throws Exception {
        McpServer server =
                server().tool("ask", "Asks", NoInput.class, String.class)
                        .handle(
                                (none, call) ->
                                        call.elicit("Sure?", Confirm.class).orElseThrow()
                                                + " "
                                                + call.sample("Say hi", 10).text()
                                                + " "
                                                + call.roots().get(0).uri())
                        .build();
        try (McpClient client =
                client().onElicitForm(form -> Answer.accept(JsonObject.of("ok", true)))
                        .onSample(request -> CreateMessageResult.text("small", "Hi"))
                        .roots(new Root("file:///a"))
                        .connect(server.inProcess())) {
            assertThat(client.tool("ask", JsonObject.class, String.class).call(JsonObject.EMPTY))
                    .isEqualTo("Confirm[ok=true, reason=none] Hi file:///a");
        }
        try (McpClient mute = clientOfSessions().connect(server.inProcess())) {
            assertThatThrownBy(
                            () ->
                                    mute.tool("ask", JsonObject.class, String.class)
                                            .call(JsonObject.EMPTY))
                    .isInstanceOf(ToolFailedException.class)
                    .hasMessageContaining("elicitation");
        }
    }

    @Test
    @Requirement({"ELIC-014", "ELIC-023", "ELIC-024"})
    void aPageIsVisitedAndReportedComplete() throws Exception {
        BlockingQueue<String> completed = new LinkedBlockingQueue<>();
        McpServer server =
                server().tool("login", "Signs in", NoInput.class, String.class)
                        .handle(
                                (none, call) ->
                                        call.elicitUrl(
                                                        "Sign in",
                                                        URI.create("https://a.example/login"),
                                                        () -> "token")
                                                .orElseThrow())
                        .build();
        try (McpClient client =
                clientOfSessions()
                        .onElicitUrl(link -> Answer.accept())
                        .onElicitationComplete(completed::add)
                        .connect(server.inProcess())) {
            assertThat(client.callTool("login", JsonObject.EMPTY).text()).isEqualTo("token");
            assertThat(completed.poll(30, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    @Requirement({"ELIC-028", "ELIC-031"})
    void aCallThatNeedsAPageFirstIsATypedException() throws Exception {
        McpServer server =
                server().tool("paid", "Costs", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    throw new UrlElicitationRequiredException(
                                            List.of(
                                                    new ElicitUrlRequest(
                                                            "Pay", "https://a.example/pay", "p")));
                                })
                        .build();
        try (McpClient client =
                clientOfSessions()
                        .onElicitUrl(link -> Answer.decline())
                        .connect(server.inProcess())) {
            assertThatThrownBy(() -> client.callTool("paid", JsonObject.EMPTY))
                    .isInstanceOf(UrlElicitationRequiredException.class);
        }
    }

    @Test
    @Requirement({"PROG-001", "PROG-004", "LOG-005"})
    void progressAndLogMessagesOfACallAreDelivered() throws Exception {
        List<Progress> progress = new CopyOnWriteArrayList<>();
        BlockingQueue<String> log = new LinkedBlockingQueue<>();
        McpServer server =
                server().tool("work", "Works", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    call.log(LoggingLevel.DEBUG, "details");
                                    call.log(LoggingLevel.ERROR, "trouble");
                                    call.progress(1, 2, "half");
                                    return "done";
                                })
                        .build();
        try (McpClient client =
                client().onLog(entry -> log.add(entry.data().toString()))
                        .connect(server.inProcess())) {
            client.setLoggingLevel(LoggingLevel.WARNING);
            client.withProgress(progress::add).callTool("work", JsonObject.EMPTY);
            assertThat(progress).containsExactly(new Progress(1, 2.0, "half"));
            assertThat(log.poll(30, TimeUnit.SECONDS)).isEqualTo("\"trouble\"");
            assertThat(log).isEmpty();
        }
    }

    @Test
    @Requirement({"CANC-001", "CANC-007", "CANC-014"})
    void cancellingAFutureInterruptsTheHandlerAndWhatItAsked() throws Exception {
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch modelInterrupted = new CountDownLatch(1);
        CountDownLatch handlerInterrupted = new CountDownLatch(1);
        McpServer server =
                server().tool("think", "Thinks", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    try {
                                        return call.sample("Think", 10).text();
                                    } catch (InterruptedException e) {
                                        handlerInterrupted.countDown();
                                        throw e;
                                    }
                                })
                        .build();
        try (McpClient client =
                        clientOfSessions()
                                .onSample(
                                        request -> {
                                            asking.countDown();
                                            try {
                                                new CountDownLatch(1).await();
                                            } catch (InterruptedException e) {
                                                modelInterrupted.countDown();
                                                throw e;
                                            }
                                            throw new AssertionError();
                                        })
                                .connect(server.inProcess());
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<CallToolResult> pending =
                    executor.submit(() -> client.callTool("think", JsonObject.EMPTY));
            assertThat(asking.await(30, TimeUnit.SECONDS)).isTrue();
            pending.cancel(true);
            assertThat(handlerInterrupted.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(modelInterrupted.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    @Requirement({"TOOL-005", "ROOT-004", "ROOT-011"})
    void changesOfListsReachTheOtherSide() throws Exception {
        BlockingQueue<List<String>> heard = new LinkedBlockingQueue<>();
        McpServer server =
                server().tool("roots", "Roots", NoInput.class, String.class)
                        .handle((none, call) -> call.roots().toString())
                        .build();
        try (McpClient client =
                client().roots(new Root("file:///a"))
                        .onToolsChanged(
                                changed ->
                                        heard.add(
                                                changed.tools().stream().map(Tool::name).toList()))
                        .connect(server.inProcess())) {
            assertThat(client.tools()).hasSize(1); // waits until changes are listened to
            server.update(
                    features ->
                            features.tool("new", "New", NoInput.class, String.class)
                                    .handle((none, call) -> "x"));
            List<String> list = heard.poll(30, TimeUnit.SECONDS);
            while (List.of("roots").equals(list)) { // a listener that came late hears of that
                list = heard.poll(30, TimeUnit.SECONDS);
            }
            assertThat(list).containsExactlyInAnyOrder("roots", "new");
            client.replaceRoots(new Root("file:///b"));
            assertThat(client.callTool("roots", JsonObject.EMPTY).text()).contains("file:///b");
        }
    }

    @Test
    void manyClientsCallAtOnceAndNothingIsMixedUp() throws Exception {
        McpServer server =
                server().withoutRateLimit()
                        .tool("echo", "Echoes", Query.class, String.class)
                        .handle((query, call) -> query.city() + query.days())
                        .build();
        AtomicBoolean mixed = new AtomicBoolean();
        List<Future<?>> pending = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                McpClient client = McpClient.connect(server.inProcess())) {
            RemoteTool<Query, String> echo =
                    client.tool("echo", Query.class, String.class)
                            .withTimeout(Duration.ofMinutes(2));
            for (int i = 0; i < 200; i++) {
                int number = i;
                pending.add(
                        executor.submit(
                                () -> {
                                    if (!echo.call(new Query("n", number)).equals("n" + number)) {
                                        mixed.set(true);
                                    }
                                    return null;
                                }));
            }
            for (Future<?> call : pending) {
                call.get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(mixed).isFalse();
    }
}
