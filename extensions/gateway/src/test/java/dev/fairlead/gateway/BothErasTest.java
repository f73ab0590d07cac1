package dev.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.SetLevelRequest;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.SourcePage;
import dev.fairlead.test.support.Awaiting;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Questions of servers where a gateway has servers of both eras, or a call has ended. */
@Timeout(300)
final class BothErasTest extends ClosingTest {
    private static final RequestState KEY = RequestState.keys(List.of(new byte[32]));
    private static final Revision NEWEST = Revision.V2026_07_28;
    private static final JsonObject YES =
            JsonObject.of("action", "accept", "content", JsonObject.of("ok", true));

    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final AtomicBoolean visited = new AtomicBoolean();

    record Sure(boolean ok) {}

    record Shelf(String id) {}

    private McpClient client(Gateway gateway, Revision revision) throws InterruptedException {
        return closedLater(
                McpClient.named("desk", "1")
                        .revisions(revision, revision)
                        .onElicitForm(
                                form -> {
                                    asked.add(form.message());
                                    return Answer.accept(JsonObject.of("ok", true));
                                })
                        .onElicitUrl(
                                page -> {
                                    asked.add(page.url().toString());
                                    visited.set(true);
                                    return Answer.accept();
                                })
                        .connect(gateway.inProcess()));
    }

    /**
     * A gateway with an older server and one of the newest revision, in this order or the other.
     */
    private Gateway gateway(McpServer server, boolean olderFirst) {
        McpServer older =
                closedLater(
                        McpServer.named("older", "1")
                                .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                                .resource("older://known", "known", String.class)
                                .handle((request, call) -> "known")
                                .build());
        Gateway.Builder gateway = Gateways.patient();
        if (olderFirst) {
            gateway.server("older", older.inProcess());
        }
        gateway.server("shop", server.inProcess());
        if (!olderFirst) {
            gateway.server("older", older.inProcess());
        }
        return closedLater(gateway.front(front -> front.requestState(KEY)).build());
    }

    private static ReadResourceResult sold(String uri) {
        return ReadResourceResult.of(ResourceContents.text(uri, null, "sold"));
    }

    private McpServer templates() {
        return closedLater(
                McpServer.named("shop", "1")
                        .revisions(NEWEST, NEWEST)
                        .requestState(KEY)
                        .resourceTemplate("shop://{id}", "goods", Shelf.class, String.class)
                        .handle(
                                (shelf, call) ->
                                        "sold "
                                                + call.elicit("Sure?", Sure.class)
                                                        .orElseThrow()
                                                        .ok())
                        .build());
    }

    private McpServer source() {
        return closedLater(
                McpServer.named("shop", "1")
                        .revisions(NEWEST, NEWEST)
                        .requestState(KEY)
                        .resourceSource("shop://")
                        .list((cursor, call) -> SourcePage.last(List.of()))
                        .handle(
                                (request, call) -> {
                                    call.elicit("Sure?", Sure.class).orElseThrow();
                                    return sold(request.uri());
                                })
                        .build());
    }

    private static InputRequiredResult input(Outcome<?> outcome) {
        return ((Outcome.InputRequired<?>) outcome).input();
    }

    private static Map<String, JsonObject> yes(InputRequiredResult input) {
        return Map.of(input.inputRequests().keySet().iterator().next(), YES);
    }

    @Test
    void aServerAsksAboutAResourceOfATemplateBesideAnOlderServer() throws Exception {
        McpServer shop = templates();
        ReadResourceRequest request = new ReadResourceRequest("shop://7");
        InputRequiredResult input = input(client(gateway(shop, true), NEWEST).firstRound(request));

        Outcome<ReadResourceResult> outcome = // another process of the gateway
                client(gateway(shop, true), NEWEST)
                        .nextRound(request, yes(input), input.requestState());

        assertThat(outcome).isInstanceOf(Outcome.Complete.class);
    }

    @Test
    void aServerAsksAboutAResourceThatNoneListsBesideAnOlderServer() throws Exception {
        for (boolean olderFirst : List.of(true, false)) {
            McpClient client = client(gateway(source(), olderFirst), NEWEST);

            assertThat(client.readResource("shop://7").contents())
                    .isEqualTo(sold("shop://7").contents());
            assertThat(asked.poll()).isEqualTo("Sure?");
        }
    }

    @Test
    void pagesThatAnOlderServerRequiresAreVisitedByAClientOfTheNewestRevision() throws Exception {
        McpServer older =
                closedLater(
                        McpServer.named("older", "1")
                                .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                                .tool("buy", "Buys", NoInput.class, String.class)
                                .handle((none, call) -> paid())
                                .resource("older://shelf", "shelf", String.class)
                                .handle((none, call) -> paid())
                                .build());
        Gateway gateway =
                closedLater(Gateways.patient().server("older", older.inProcess()).build());
        McpClient client = client(gateway, NEWEST);

        assertThat(client.callTool("buy", JsonObject.EMPTY).text()).isEqualTo("paid");
        assertThat(asked.poll()).isEqualTo("https://shop.example/pay");
        visited.set(false);
        assertThat(client.readResource("older://shelf").contents()).hasSize(1);
        assertThat(asked.poll()).isEqualTo("https://shop.example/pay");
    }

    private String paid() {
        if (!visited.get()) {
            throw new UrlElicitationRequiredException(
                    List.of(new ElicitUrlRequest("Pay", "https://shop.example/pay", "pay-1")));
        }
        return "paid";
    }

    @Test
    void aStateWithoutQuestionsHasTheGatewayWaitForAnOlderClient() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        McpServer busy =
                closedLater(
                        McpServer.named("busy", "1")
                                .revisions(NEWEST, NEWEST)
                                .tool(new Tool("soon", JsonObject.of("type", "object")))
                                .handle(
                                        (request, call) -> {
                                            if (runs.incrementAndGet() < 4) {
                                                throw new InputRequiredException(
                                                        List.of(), JsonObject.of("a", 1));
                                            }
                                            return CallToolResult.text("done");
                                        })
                                .build());
        Gateway gateway = closedLater(Gateways.patient().server("busy", busy.inProcess()).build());
        McpClient older = client(gateway, Revision.V2025_11_25);

        assertThat(older.callTool("soon", JsonObject.EMPTY).text()).isEqualTo("done");
        assertThat(runs).hasValue(4);
        assertThat(IntStream.range(0, 5).mapToObj(BothErasTest::pauseAfter))
                .extracting(Duration::toMillis)
                .containsExactly(50L, 100L, 250L, 250L, 250L);
    }

    private static Duration pauseAfter(int rounds) {
        return new PassedRound(rounds, null, Map.of(), null).pause();
    }

    @Test
    void whatIsAskedAfterACallHasEndedReachesNoOtherCall() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        Semaphore begun = new Semaphore(0);
        CountDownLatch over = new CountDownLatch(1);
        McpServer server =
                closedLater(
                        McpServer.named("older", "1")
                                .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                                .tool("late", "Asks too late", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            ClientSession session =
                                                    call.clientSession().orElseThrow();
                                            Thread.ofVirtual()
                                                    .start(() -> askLate(session, late, over));
                                            begun.release();
                                            over.await();
                                            return "";
                                        })
                                .tool("wait", "Waits", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            begun.release();
                                            over.await();
                                            return "waited";
                                        })
                                .build());
        Gateway gateway =
                closedLater(
                        Gateways.patient()
                                .server("older", server.inProcess())
                                .maxCallConnections(1, 2)
                                .build());
        McpClient client = client(gateway, NEWEST);
        CompletableFuture<String> first = call(client, "wait"); // has the shared connection
        assertThat(begun.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        Thread caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        client.callTool("late", JsonObject.EMPTY);
                                    } catch (Exception e) {
                                        // it is interrupted
                                    }
                                });
        assertThat(begun.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        caller.join();
        CompletableFuture<String> second = call(client, "wait");
        // it has the one connection for calls, so the other call has ended
        assertThat(begun.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        late.countDown();

        assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo("waited");
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("waited");
        assertThat(asked).isEmpty();
    }

    private static void askLate(ClientSession session, CountDownLatch late, CountDownLatch over) {
        try {
            late.await();
            session.requests().elicit("Late?", Sure.class);
        } catch (Exception e) {
            // nothing is left to ask
        } finally {
            over.countDown();
        }
    }

    @CheckReturnValue
    private static CompletableFuture<String> call(McpClient client, String tool) {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(client.callTool(tool, JsonObject.EMPTY).text());
                            } catch (Exception e) {
                                result.completeExceptionally(e);
                            }
                        });
        return result;
    }

    @Test
    void aRetryOfAResourceThatNoneListsFailsByTheServerThatIsDown() throws Exception {
        for (boolean olderFirst : List.of(true, false)) {
            McpServer shop = source();
            McpClient client = client(gateway(shop, olderFirst), NEWEST);
            ReadResourceRequest request = new ReadResourceRequest("shop://7");
            InputRequiredResult input = input(client.firstRound(request));
            shop.close();

            JsonRpcException failure =
                    catchThrowableOfType(
                            JsonRpcException.class,
                            () -> client.nextRound(request, yes(input), input.requestState()));

            assertThat(failure).isNotNull().hasMessage("The server shop is not available");
            assertThat(failure.code()).isEqualTo(-32603);
        }
    }

    @Test
    void theRefusalOfARetryThatMustBeATaskIsPassedOn() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        McpServer server =
                closedLater(
                        McpServer.named("shop", "1")
                                .revisions(NEWEST, NEWEST)
                                .tool("buy", "Buys", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            runs.incrementAndGet();
                                            call.elicit("Sure?", Sure.class).orElseThrow();
                                            throw new JsonRpcException(
                                                    -32021,
                                                    "Needs tasks",
                                                    (JsonObject)
                                                            JsonValue.parse(
                                                                    """
                                                                    {"requiredCapabilities": {"extensions":
                                                                     {"io.modelcontextprotocol/tasks": {}}}}\
                                                                    """));
                                        })
                                .build());
        Gateway gateway =
                closedLater(Gateways.patient().server("shop", server.inProcess()).build());
        McpClient client = client(gateway, NEWEST);

        JsonRpcException failure =
                catchThrowableOfType(
                        JsonRpcException.class, () -> client.callTool("buy", JsonObject.EMPTY));

        assertThat(failure).isNotNull().hasMessageContaining("Needs tasks");
        assertThat(failure.code()).isEqualTo(-32021);
        assertThat(runs).hasValue(2);
    }

    /**
     * A refusal reaches the server that asks as it is, and no client takes it for the gateway's.
     */
    @Test
    void aClientThatRefusesAQuestionFailsTheTool() throws Exception {
        for (Revision upstream : List.of(Revision.V2025_11_25, NEWEST)) {
            List<Integer> codes = new CopyOnWriteArrayList<>();
            McpServer shop =
                    closedLater(
                            McpServer.named("shop", "1")
                                    .revisions(upstream, upstream)
                                    .tool("buy", "Buys", NoInput.class, String.class)
                                    .handle(
                                            (none, call) -> {
                                                try {
                                                    return String.valueOf(
                                                            call.elicit("Sure?", Sure.class));
                                                } catch (JsonRpcException e) {
                                                    codes.add(e.code());
                                                    throw e;
                                                }
                                            })
                                    .build());
            Gateway gateway =
                    closedLater(Gateways.patient().server("shop", shop.inProcess()).build());
            McpClient client =
                    closedLater(
                            McpClient.named("desk", "1")
                                    .revisions(Revision.V2025_11_25, Revision.V2025_11_25)
                                    .onElicitForm(
                                            form -> {
                                                throw new JsonRpcException(
                                                        -32601, "Method not found");
                                            })
                                    .connect(gateway.inProcess()));

            CallToolResult result = client.callTool("buy", JsonObject.EMPTY);

            assertThat(result.isError()).isTrue();
            assertThat(result.text())
                    .isEqualTo(
                            "The client answered elicitation/create with an error: Method not"
                                    + " found");
            assertThat(codes).isEqualTo(upstream == NEWEST ? List.of() : List.of(-32601));
        }
    }

    @Test
    void aPageThatIsNotVisitedFailsTheCallAsATool() throws Exception {
        McpServer older =
                closedLater(
                        McpServer.named("older", "1")
                                .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                                .tool("buy", "Buys", NoInput.class, String.class)
                                .handle((none, call) -> paid())
                                .build());
        Gateway gateway =
                closedLater(Gateways.patient().server("older", older.inProcess()).build());
        McpClient client =
                closedLater(
                        McpClient.named("desk", "1")
                                .revisions(NEWEST, NEWEST)
                                .onElicitUrl(page -> Answer.decline())
                                .connect(gateway.inProcess()));

        CallToolResult refused = client.callTool("buy", JsonObject.EMPTY);

        assertThat(refused.isError()).isTrue();
        assertThat(refused.text()).contains("elicitation by URL");
    }

    private McpServer logging(List<String> refusedLevels) {
        return closedLater(
                McpServer.named("older", "1")
                        .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                        .tool("both", "Waits for another call", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    together.countDown();
                                    together.await();
                                    return "done";
                                })
                        .tool("deliver", "Logs as a task", NoInput.class, String.class)
                        .task(TaskSupport.REQUIRED)
                        .handle(
                                (none, call) -> {
                                    call.log(LoggingLevel.INFO, "shop", JsonValue.of("packed"));
                                    return "delivered";
                                })
                        .intercept(
                                (method, next) -> {
                                    if (method.params() instanceof SetLevelRequest set
                                            && refusedLevels.contains(set.level().name())) {
                                        throw JsonRpcException.invalidParams("no such level");
                                    }
                                    return next.proceed(method);
                                })
                        .build());
    }

    private final CountDownLatch together = new CountDownLatch(2);

    @Test
    void aServerThatRefusesTheLogLevelAnswersCallsAtTheSameTime() throws Exception {
        Gateway gateway =
                closedLater(
                        Gateways.patient()
                                .server("older", logging(List.of("INFO")).inProcess())
                                .build());
        McpClient client = client(gateway, NEWEST);
        client.setLoggingLevel(LoggingLevel.INFO);

        CompletableFuture<String> first = call(client, "both");
        CompletableFuture<String> second = call(client, "both");

        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo("done");
    }

    @Test
    void whatATaskLogsBelongsToItsCall() throws Exception {
        BlockingQueue<String> logged = new LinkedBlockingQueue<>();
        Gateway gateway =
                closedLater(
                        Gateways.patient().server("older", logging(List.of()).inProcess()).build());
        McpClient client =
                closedLater(
                        McpClient.named("desk", "1")
                                .revisions(NEWEST, NEWEST)
                                .onElicitForm(form -> Answer.cancel())
                                .onLog(entry -> logged.add(entry.data().toString()))
                                .connect(gateway.inProcess()));
        client.setLoggingLevel(LoggingLevel.INFO);

        assertThat(client.callTool("deliver", JsonObject.EMPTY).text()).isEqualTo("delivered");

        assertThat(logged.poll(60, TimeUnit.SECONDS)).contains("packed");
    }

    @Test
    void aServerThatACallHasConnectedAgainAsksTheClientOfTheCall() throws Exception {
        for (Revision revision : List.of(Revision.V2025_11_25, NEWEST)) {
            McpServer server =
                    closedLater(
                            McpServer.named("shop", "1")
                                    .revisions(revision, revision)
                                    .tool("buy", "Buys", NoInput.class, String.class)
                                    .handle(
                                            (none, call) ->
                                                    "bought "
                                                            + call.elicit("Sure?", Sure.class)
                                                                    .orElseThrow()
                                                                    .ok())
                                    .build());
            AtomicBoolean away = new AtomicBoolean();
            BlockingQueue<Link> links = new LinkedBlockingQueue<>();
            BlockingQueue<String> refused = new LinkedBlockingQueue<>();
            Gateway gateway =
                    closedLater(
                            Gateways.patient()
                                    .server(
                                            "shop",
                                            host -> {
                                                if (away.get()) {
                                                    refused.add("away");
                                                    throw new IOException("away");
                                                }
                                                Link link = server.inProcess().connect(host);
                                                links.add(link);
                                                return link;
                                            })
                                    .build());
            McpClient client = client(gateway, NEWEST);
            assertThat(client.tools()).hasSize(1);
            away.set(true);
            links.take().close();
            for (int attempts = 0; attempts < 3; attempts++) { // so the next is not soon
                assertThat(refused.poll(60, TimeUnit.SECONDS)).isEqualTo("away");
            }
            away.set(false);

            assertThat(onceAvailable(client)).isEqualTo("bought true");
            assertThat(asked.poll()).isEqualTo("Sure?");
        }
    }

    private static String onceAvailable(McpClient client) {
        return Awaiting.await().until(() -> bought(client), Objects::nonNull);
    }

    private static String bought(McpClient client) throws InterruptedException {
        try {
            return client.callTool("buy", JsonObject.EMPTY).text();
        } catch (JsonRpcException e) {
            assertThat(e).hasMessage("The server shop is not available");
            return null;
        }
    }

    @Test
    void whatIsLoggedOnTheSharedConnectionBelongsToTheCallThatHasIt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch asking = new CountDownLatch(1);
        McpServer server =
                closedLater(
                        McpServer.named("older", "1")
                                .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                                .tool("pack", "Logs", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            begun.countDown();
                                            asking.await();
                                            call.log(
                                                    LoggingLevel.INFO,
                                                    "shop",
                                                    JsonValue.of("packed"));
                                            return "packed";
                                        })
                                .tool("buy", "Asks", NoInput.class, String.class)
                                .handle(
                                        (none, call) ->
                                                "bought "
                                                        + call.elicit("Sure?", Sure.class)
                                                                .orElseThrow()
                                                                .ok())
                                .build());
        Gateway gateway =
                closedLater(Gateways.patient().server("older", server.inProcess()).build());
        BlockingQueue<String> logged = new LinkedBlockingQueue<>();
        CompletableFuture<String> packed = new CompletableFuture<>();
        McpClient client =
                closedLater(
                        McpClient.named("desk", "1")
                                .revisions(NEWEST, NEWEST)
                                .onLog(entry -> logged.add(entry.data().toString()))
                                .onElicitForm(
                                        form -> {
                                            asking.countDown(); // no request runs for this call
                                            packed.join();
                                            return Answer.accept(JsonObject.of("ok", true));
                                        })
                                .connect(gateway.inProcess()));
        client.setLoggingLevel(LoggingLevel.INFO);
        CompletableFuture<String> first = call(client, "pack");
        first.thenAccept(packed::complete);
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

        assertThat(client.callTool("buy", JsonObject.EMPTY).text()).isEqualTo("bought true");

        assertThat(logged.poll(60, TimeUnit.SECONDS)).contains("packed");
    }
}
