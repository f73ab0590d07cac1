package dev.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Question;
import dev.fairlead.test.support.Awaiting;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Clients and servers of different revisions with a gateway between them, beyond the feature matrix
 * of the proofs.
 */
@Timeout(300)
final class ErasTest extends ClosingTest {
    private static final byte[] KEY = new byte[32];

    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private final BlockingQueue<String> connected = new LinkedBlockingQueue<>();
    private final McpServer server = closedLater(server());

    record NoInput() {}

    record Order(String item) {}

    record Sure(boolean ok) {}

    record Shelf(int n) {}

    record Goods(String id) {}

    @AfterEach
    void end() {
        never.countDown();
    }

    private McpServer server() {
        return McpServer.named("shop", "1")
                .requestState(RequestState.keys(List.of(KEY)))
                .tool("buy", "Buys", Order.class, String.class)
                .handle(
                        (order, call) -> {
                            runs.incrementAndGet();
                            boolean first =
                                    call.elicit("Buy " + order.item() + "?", Sure.class)
                                            instanceof Answer.Accepted<Sure>;
                            boolean second =
                                    call.elicit("Really " + order.item() + "?", Sure.class)
                                            instanceof Answer.Accepted<Sure>;
                            return order.item() + " " + first + " " + second;
                        })
                .tool("both", "Asks two at once", Order.class, String.class)
                .handle(
                        (order, call) -> {
                            runs.incrementAndGet();
                            Question<Answer<Sure>> wrap =
                                    Question.elicit("Wrap " + order.item() + "?", Sure.class)
                                            .as("wrap");
                            Question<Answer<Sure>> send =
                                    Question.elicit("Send " + order.item() + "?", Sure.class)
                                            .as("send");
                            Answers answers = call.ask(wrap, send);
                            return "wrap %s, send %s"
                                    .formatted(
                                            answers.to(wrap).orElseThrow().ok(),
                                            answers.to(send).orElseThrow().ok());
                        })
                .resource("shop://shelf", "shelf", String.class)
                .handle((request, call) -> "full")
                .tool("fill", "Changes a part of the shelf", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            call.notify(
                                    "notifications/resources/updated",
                                    JsonObject.of("uri", "shop://shelf/top"));
                            return "filled";
                        })
                .resourceTemplate("shop://goods/{id}", "goods", Goods.class, String.class)
                .handle(
                        (goods, call) -> {
                            throw new JsonRpcException(
                                    McpErrorCode.RESOURCE_NOT_FOUND,
                                    "No such goods",
                                    JsonObject.of(
                                            "uri", "shop://goods/" + goods.id(), "sold", true));
                        })
                .tool("deliver", "Asks as a task", Order.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle(
                        (order, call) ->
                                order.item()
                                        + " "
                                        + call.elicit("Deliver " + order.item() + "?", Sure.class)
                                                .orElseThrow()
                                                .ok())
                .tool("crash", "Never ends", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            crashing.incrementAndGet();
                            never.await();
                            return "";
                        })
                .build();
    }

    private Gateway gateway(
            Revision newest, java.util.function.UnaryOperator<Gateway.Builder> more) {
        Gateway.Builder builder =
                Gateways.patient()
                        .server(
                                "shop",
                                host -> {
                                    connected.add("shop");
                                    return server.inProcess().connect(host);
                                },
                                client -> client.revisions(Revision.V2024_11_05, newest))
                        .front(front -> front.requestState(RequestState.keys(List.of(KEY))));
        return closedLater(more.apply(builder).build());
    }

    private McpClient client(Gateway gateway, String name) throws InterruptedException {
        return closedLater(
                McpClient.named(name, "1")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .onElicitForm(
                                form -> {
                                    asked.add(name + ": " + form.message());
                                    mayAnswer.await();
                                    return Answer.accept(JsonObject.of("ok", true));
                                })
                        .connect(gateway.inProcess()));
    }

    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private volatile CountDownLatch mayAnswer = new CountDownLatch(0);

    private final AtomicInteger crashing = new AtomicInteger();

    @CheckReturnValue
    private static CompletableFuture<CallToolResult> buy(McpClient client, String item) {
        return call(client, "buy", item);
    }

    @CheckReturnValue
    private static CompletableFuture<CallToolResult> call(
            McpClient client, String tool, String item) {
        CompletableFuture<CallToolResult> result = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(client.callTool(tool, JsonObject.of("item", item)));
                            } catch (Exception e) {
                                result.completeExceptionally(e);
                            }
                        });
        return result;
    }

    private static void await(BooleanSupplier condition) {
        Awaiting.await().until(condition::getAsBoolean);
    }

    @Test
    @Requirement({"N26-MRTR-007", "N26-MRTR-011"})
    void eachRoundMayReachAnotherGateway() throws Exception {
        CallToolRequest request = new CallToolRequest("buy", JsonObject.of("item", "tea"));
        JsonObject yes = JsonObject.of("action", "accept", "content", JsonObject.of("ok", true));
        Outcome<CallToolResult> outcome =
                client(gateway(Revision.V2026_07_28, all -> all), "a").firstRound(request);
        for (int round = 0; round < 2; round++) {
            InputRequiredResult input = ((Outcome.InputRequired<CallToolResult>) outcome).input();
            String key = input.inputRequests().keySet().iterator().next();
            assertThat(input.requestState()).isNotNull();
            outcome =
                    client(gateway(Revision.V2026_07_28, all -> all), "b" + round)
                            .nextRound(request, Map.of(key, yes), input.requestState());
        }

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Complete.class,
                        done ->
                                assertThat(((CallToolResult) done.result()).text())
                                        .isEqualTo("tea true true"));
        assertThat(runs).hasValue(3); // it started again for each answer
        assertThat(asked).isEmpty();
    }

    @Test
    void aChangedStateIsRefusedByTheGateway() throws Exception {
        McpClient client = client(gateway(Revision.V2026_07_28, all -> all), "a");
        CallToolRequest request = new CallToolRequest("buy", JsonObject.of("item", "tea"));
        InputRequiredResult input =
                ((Outcome.InputRequired<CallToolResult>) client.firstRound(request)).input();
        int before = runs.get();

        for (String state : List.of("x", input.requestState() + "x")) {
            assertThatThrownBy(() -> client.nextRound(request, Map.of(), state))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32602));
        }
        assertThatThrownBy(
                        () ->
                                client.nextRound(
                                        new CallToolRequest("buy", JsonObject.of("item", "gold")),
                                        Map.of(),
                                        input.requestState()))
                .isInstanceOf(JsonRpcException.class);
        assertThat(runs).hasValue(before);
    }

    /** A gateway with two connections for each caller: the shared one, and one for a call. */
    private Gateway gatewayOfTwo() {
        return gateway(
                Revision.V2025_11_25,
                all -> all.maxCallConnections(4, 2).idleTimeout(Duration.ofHours(1)));
    }

    /** Begins two calls that are asked at the same time. */
    private List<CompletableFuture<CallToolResult>> buyTeaAndMilk(Gateway gateway, McpClient client)
            throws InterruptedException {
        mayAnswer = new CountDownLatch(1);
        CompletableFuture<CallToolResult> tea = buy(client, "tea");
        assertThat(asked.take()).isEqualTo("a: Buy tea?");
        assertThat(gateway.callConnections()).isZero(); // the shared connection was free
        CompletableFuture<CallToolResult> milk = buy(client, "milk");
        assertThat(asked.take()).isEqualTo("a: Buy milk?");
        assertThat(gateway.callConnections()).isEqualTo(1);
        return List.of(tea, milk);
    }

    @Test
    void callsThatAreAskedAtTheSameTimeHaveConnectionsOfTheirOwn() throws Exception {
        Gateway gateway = gatewayOfTwo();
        McpClient client = client(gateway, "a");
        List<CompletableFuture<CallToolResult>> both = buyTeaAndMilk(gateway, client);

        CompletableFuture<CallToolResult> salt = buy(client, "salt"); // waits for one
        mayAnswer.countDown();

        assertThat(salt.get(60, TimeUnit.SECONDS).text()).isEqualTo("salt true true");
        assertThat(both.get(0).get(60, TimeUnit.SECONDS).text()).isEqualTo("tea true true");
        assertThat(both.get(1).get(60, TimeUnit.SECONDS).text()).isEqualTo("milk true true");
        assertThat(runs).hasValue(3); // a held call starts once
        assertThat(gateway.callConnections()).isEqualTo(1); // kept for the next call
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void tasksOfAServerAskTheClientOfTheirCall(Revision newest) throws Exception {
        Gateway gateway = gateway(newest, all -> all);
        McpClient client = client(gateway, "a");
        mayAnswer = new CountDownLatch(1);
        CompletableFuture<CallToolResult> tea = call(client, "deliver", "tea");
        assertThat(asked.take()).isEqualTo("a: Deliver tea?");
        CompletableFuture<CallToolResult> milk = call(client, "deliver", "milk");
        assertThat(asked.take()).isEqualTo("a: Deliver milk?");
        assertThat(gateway.callConnections()).isEqualTo(1); // the task has the shared connection
        mayAnswer.countDown();

        assertThat(tea.get(60, TimeUnit.SECONDS).text()).isEqualTo("tea true");
        assertThat(milk.get(60, TimeUnit.SECONDS).text()).isEqualTo("milk true");
        CallToolResult salt = call(client, "deliver", "salt").get(60, TimeUnit.SECONDS);
        assertThat(salt.text()).isEqualTo("salt true");
        assertThat(gateway.callConnections()).isEqualTo(1); // the shared one was free again
    }

    @Test
    void anOlderServerMayAskSeveralAtOnce() throws Exception {
        Gateway gateway = gateway(Revision.V2025_11_25, all -> all);
        McpClient client =
                closedLater(
                        McpClient.named("a", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .onElicitForm(
                                        form -> {
                                            asked.add(form.message());
                                            return Answer.accept(
                                                    JsonObject.of(
                                                            "ok",
                                                            form.message().startsWith("Wrap")));
                                        })
                                .connect(gateway.inProcess()));

        CompletableFuture<CallToolResult> tea = call(client, "both", "tea");
        CompletableFuture<CallToolResult> milk = call(client, "both", "milk");

        assertThat(tea.get(60, TimeUnit.SECONDS).text()).isEqualTo("wrap true, send false");
        assertThat(milk.get(60, TimeUnit.SECONDS).text()).isEqualTo("wrap true, send false");
        assertThat(asked)
                .containsExactlyInAnyOrder("Wrap tea?", "Send tea?", "Wrap milk?", "Send milk?");
        assertThat(runs).hasValue(2); // a held call starts once
    }

    @Test
    void questionsOfAnOlderServerAtTheSameTimeComeInSuccessiveRounds() throws Exception {
        McpClient client = client(gateway(Revision.V2025_11_25, all -> all), "a");
        CallToolRequest request = new CallToolRequest("both", JsonObject.of("item", "tea"));
        Outcome<CallToolResult> outcome = client.firstRound(request);
        List<String> messages = new ArrayList<>();
        while (outcome instanceof Outcome.InputRequired<CallToolResult> required) {
            InputRequiredResult input = required.input();
            Map<String, JsonObject> answers = new HashMap<>();
            input.inputRequests()
                    .forEach(
                            (key, question) -> {
                                String message = question.params().string("message");
                                messages.add(message);
                                boolean ok = message.startsWith("Send");
                                answers.put(
                                        key,
                                        JsonObject.of(
                                                "action",
                                                "accept",
                                                "content",
                                                JsonObject.of("ok", ok)));
                            });
            outcome = client.nextRound(request, answers, input.requestState());
        }

        assertThat(((Outcome.Complete<CallToolResult>) outcome).result().text())
                .isEqualTo("wrap false, send true");
        assertThat(messages).containsExactlyInAnyOrder("Wrap tea?", "Send tea?");
        assertThat(runs).hasValue(1);
    }

    @Test
    void connectionsOfClientsWithoutSessionsEndWhenTheyAreIdle() throws Exception {
        Gateway gateway =
                gateway(Revision.V2025_11_25, all -> all.idleTimeout(Duration.ofMillis(20)));
        McpClient client = client(gateway, "a");
        assertThat(buy(client, "tea").get(60, TimeUnit.SECONDS).text()).isEqualTo("tea true true");
        await(() -> gateway.sharedConnections() == 0);
        int before = connected.size();

        assertThat(buy(client, "milk").get(60, TimeUnit.SECONDS).isError()).isFalse();

        assertThat(connected).hasSizeGreaterThan(before);
        await(() -> gateway.sharedConnections() == 0 && gateway.callConnections() == 0);
    }

    @Test
    void connectionsOfAClientInTheSameProcessEndWithIt() throws Exception {
        Gateway gateway = gatewayOfTwo();
        McpClient other = client(gateway, "b");
        assertThat(buy(other, "salt").get(60, TimeUnit.SECONDS).isError()).isFalse();
        asked.clear();
        McpClient client = client(gateway, "a");
        List<CompletableFuture<CallToolResult>> both = buyTeaAndMilk(gateway, client);
        mayAnswer.countDown();
        for (CompletableFuture<CallToolResult> done : both) {
            assertThat(done.get(60, TimeUnit.SECONDS).isError()).isFalse();
        }
        assertThat(gateway.sharedConnections()).isEqualTo(2);

        client.close();

        await(() -> gateway.sharedConnections() == 1 && gateway.callConnections() == 0);
        assertThat(buy(other, "milk").get(60, TimeUnit.SECONDS).isError()).isFalse();
        assertThat(gateway.sharedConnections()).isEqualTo(1); // that of the other client, kept
    }

    @Test
    void connectionsThatAClientInTheSameProcessUsesEndWithItsCalls() throws Exception {
        Gateway gateway = gatewayOfTwo();
        McpClient client = client(gateway, "a");
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int connections = 0; connections <= 1; connections++) {
            int shared = connections; // the first call has the shared one
            ends.add(CompletableFuture.runAsync(() -> callCrash(client)));
            await(() -> gateway.sharedConnections() == 1 && gateway.callConnections() == shared);
            await(() -> crashing.get() == shared + 1);
        }

        client.close();

        for (CompletableFuture<Void> end : ends) {
            end.get(60, TimeUnit.SECONDS);
        }
        await(() -> gateway.sharedConnections() == 0 && gateway.callConnections() == 0);
    }

    private static void callCrash(McpClient client) {
        assertThatThrownBy(() -> client.callTool("crash", JsonObject.EMPTY))
                .isInstanceOf(ConnectionException.class);
    }

    @Test
    void clientsOfOtherCapabilitiesHaveOtherConnections() throws Exception {
        Gateway gateway = gateway(Revision.V2025_11_25, all -> all.maxSessions(2));
        McpClient able = client(gateway, "able");
        able.tools();
        McpClient unable =
                closedLater(
                        McpClient.named("unable", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .connect(gateway.inProcess()));

        CallToolResult refused = unable.callTool("buy", JsonObject.of("item", "tea"));

        assertThat(refused.isError()).isTrue();
        assertThat(refused.text()).contains("elicitation");
        assertThat(asked).isEmpty();
        assertThat(gateway.sharedConnections()).isEqualTo(2);
        // a third set of capabilities takes the place of the one that is idle the longest
        closedLater(
                        McpClient.named("third", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .experimental("x", JsonObject.EMPTY)
                                .connect(gateway.inProcess()))
                .tools();
        assertThat(gateway.sharedConnections()).isEqualTo(2);
    }

    @Test
    void aResourceThatNoServerHasIsLeftOutOfAStream() throws Exception {
        BlockingQueue<List<Tool>> changes = new LinkedBlockingQueue<>();
        Gateway gateway = gateway(Revision.V2025_11_25, all -> all);
        McpClient client =
                closedLater(
                        McpClient.named("a", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .onToolsChanged(list -> changes.add(list.tools()))
                                .connect(gateway.inProcess()));

        assertThatThrownBy(() -> client.watch("shop://none", uri -> {}))
                .isInstanceOf(JsonRpcException.class)
                .hasMessageContaining("shop://none");

        server.update(
                features ->
                        features.tool("late", "Late", NoInput.class, String.class)
                                .handle((none, call) -> ""));
        assertThat(changes.poll(60, TimeUnit.SECONDS)).isNotNull(); // the stream is there
    }

    @Test
    void aStreamHasItsServersAskedForAHundredResourcesAtATime() throws Exception {
        Semaphore entered = new Semaphore(0);
        Semaphore answering = new Semaphore(0);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        McpServer many =
                closedLater(
                        McpServer.named("many", "1")
                                .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                                .resourceTemplate(
                                        "many://shelf/{n}", "shelf", Shelf.class, String.class)
                                .handle((request, call) -> "")
                                .intercept(
                                        (method, next) -> {
                                            if (method.name().equals("resources/subscribe")) {
                                                most.accumulateAndGet(
                                                        inside.incrementAndGet(), Math::max);
                                                entered.release();
                                                answering.acquire();
                                                inside.decrementAndGet();
                                            }
                                            return next.proceed(method);
                                        })
                                .build());
        Gateway gateway =
                gateway(Revision.V2025_11_25, servers -> servers.server("many", many.inProcess()));
        McpClient client =
                closedLater(
                        McpClient.named("a", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .connect(gateway.inProcess()));
        List<String> uris =
                IntStream.range(0, Upstream.WATCHES + 50)
                        .mapToObj(n -> "many://shelf/" + n)
                        .toList();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                client.request(
                                        "subscriptions/listen",
                                        JsonObject.of(
                                                "notifications",
                                                JsonObject.of("resourceSubscriptions", uris)));
                            } catch (Exception e) {
                                // it ends with the client
                            }
                        });

        assertThat(entered.tryAcquire(Upstream.WATCHES, 60, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 50; i++) { // for each answer one more is asked for
            answering.release();
            assertThat(entered.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }
        answering.release(Upstream.WATCHES);
        assertThat(most).hasValue(Upstream.WATCHES);
    }

    @Test
    @Requirement("N26-SUB-013")
    void aStreamNamesTheResourceBelowTheWatchedOneThatHasChanged() throws Exception {
        BlockingQueue<String> changed = new LinkedBlockingQueue<>();
        McpClient client =
                closedLater(
                        McpClient.named("a", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .connect(gateway(Revision.V2025_11_25, all -> all).inProcess()));
        client.watch("shop://shelf", changed::add);

        client.callTool("fill", JsonObject.EMPTY);

        assertThat(changed.poll(60, TimeUnit.SECONDS)).isEqualTo("shop://shelf/top");
    }

    @Test
    void theRefusalOfAnUnknownResourceKeepsItsMessageAndData() throws Exception {
        for (Revision upstream : List.of(Revision.V2025_11_25, Revision.V2026_07_28)) {
            for (Revision downstream : List.of(Revision.V2025_11_25, Revision.V2026_07_28)) {
                McpClient client =
                        closedLater(
                                McpClient.named("a", "1")
                                        .revisions(downstream, downstream)
                                        .connect(gateway(upstream, all -> all).inProcess()));

                assertThatThrownBy(() -> client.readResource("shop://goods/7"))
                        .isInstanceOfSatisfying(
                                JsonRpcException.class,
                                refused -> {
                                    assertThat(refused.error().message())
                                            .isEqualTo("No such goods");
                                    assertThat(refused.data())
                                            .isEqualTo(
                                                    JsonObject.of(
                                                            "uri", "shop://goods/7", "sold", true));
                                    assertThat(refused.code())
                                            .isEqualTo(
                                                    downstream == Revision.V2026_07_28
                                                            ? ErrorCode.INVALID_PARAMS
                                                            : McpErrorCode.RESOURCE_NOT_FOUND);
                                });
            }
        }
    }

    @Test
    void aServerThatEndsDuringACallIsNamed() throws Exception {
        for (Revision newest : List.of(Revision.V2025_11_25, Revision.V2026_07_28)) {
            McpServer mortal = server();
            Gateway gateway =
                    closedLater(
                            Gateways.patient()
                                    .server(
                                            "mortal",
                                            mortal.inProcess(),
                                            client ->
                                                    client.revisions(Revision.V2024_11_05, newest))
                                    .build());
            McpClient client = client(gateway, "a");
            client.tools();
            mayAnswer = new CountDownLatch(1);
            CompletableFuture<CallToolResult> buying = buy(client, "tea");
            asked.take();
            mortal.close();
            mayAnswer.countDown();

            assertThat(buying)
                    .failsWithin(Duration.ofSeconds(60))
                    .withThrowableThat()
                    .withCauseInstanceOf(JsonRpcException.class)
                    .withMessageContaining("The server mortal is not available")
                    .havingCause()
                    .satisfies(
                            e ->
                                    assertThat(((JsonRpcException) e).data())
                                            .isEqualTo(JsonObject.of("server", "mortal")));
        }
    }

    @Test
    void keysThatQuestionsCannotHaveComeBackAsTheServerSentThem() {
        var form =
                JsonObject.of(
                        "message",
                        "?",
                        "requestedSchema",
                        JsonObject.of("type", "object", "properties", JsonObject.EMPTY));
        var question = new dev.fairlead.protocol.mrtr.InputRequest("elicitation/create", form);
        var asking =
                PassedRound.of(java.util.Optional.empty())
                        .asking(
                                "shop",
                                new InputRequiredResult(
                                        Map.of("a key/ü", question, "plain", question), "s"));

        assertThat(asking.questions()).extracting(each -> each.key()).contains("plain");
        String changed =
                asking.questions().stream()
                        .map(each -> each.key())
                        .filter(key -> !key.equals("plain"))
                        .findFirst()
                        .orElseThrow();
        JsonObject one = JsonObject.of("action", "decline");
        JsonObject other = JsonObject.of("action", "cancel");
        PassedRound next =
                PassedRound.of(
                        java.util.Optional.of(
                                new dev.fairlead.server.handler.Retry(
                                        Map.of(changed, one, "plain", other), asking.state())));

        assertThat(next.answers()).isEqualTo(Map.of("a key/ü", one, "plain", other));
        assertThat(next.state()).isEqualTo("s");
        assertThat(next.server()).isEqualTo("shop");
        assertThat(next.number()).isEqualTo(1);
    }
}
