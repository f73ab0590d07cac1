package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Time limits, progress and cancellation, of requests in both directions. */
final class CancellationTest {
    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        client =
                McpClient.named("desk", "1")
                        .requestTimeout(Duration.ofSeconds(30))
                        .maxTotalTimeout(Duration.ofMinutes(5))
                        .onRequest(
                                "com.example/wait",
                                params -> {
                                    asked.countDown();
                                    try {
                                        release.await();
                                        return JsonObject.EMPTY;
                                    } catch (InterruptedException e) {
                                        interrupted.countDown();
                                        throw e;
                                    }
                                })
                        .connect(server, timers);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @CheckReturnValue
    private Background<CallToolResult> call(ClientRequests requests) {
        return Background.call(() -> requests.callTool("slow", JsonObject.EMPTY));
    }

    private static final String DONE = "{\"content\": []}";

    // ---- time limits

    @Test
    @Requirement({"LIFE-028", "LIFE-029", "CANC-001", "CANC-003", "ROOM-032", "VERS-025"})
    void aTimeoutEndsTheWaitAndCancelsAtTheServer() throws Exception {
        Background<CallToolResult> calling = call(client);
        JsonObject request = server.next("tools/call");
        timers.awaitTimers(1);
        timers.advance(Duration.ofSeconds(30));
        assertThatThrownBy(calling::result)
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("tools/call: no response or progress for 30 s");
        JsonObject cancelled = server.next("notifications/cancelled");
        assertThat(cancelled.object("params"))
                .isEqualTo(JsonObject.of("requestId", request.get("id"), "reason", "timeout"));
    }

    @Test
    @Requirement({"LIFE-028", "LIFE-032"})
    void aServerThatWaitsForThisSideIsGivenTimeUpToTheMaximum() throws Exception {
        Background<CallToolResult> calling = call(client);
        JsonObject request = server.next("tools/call");
        timers.awaitTimers(1);
        server.ask(7, "com.example/wait", "{}");
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        timers.advance(Duration.ofSeconds(50));
        release.countDown();
        server.response(7);
        timers.advance(Duration.ofSeconds(29));
        server.answer(request, DONE);
        assertThat(calling.result().content()).isEmpty();
    }

    @Test
    @Requirement("LIFE-032")
    void aServerThatAsksForeverIsNotWaitedForLongerThanTheMaximum() throws Exception {
        Background<CallToolResult> calling = call(client);
        server.next("tools/call");
        timers.awaitTimers(1);
        server.ask(7, "com.example/wait", "{}");
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        timers.advance(Duration.ofMinutes(5));
        assertThatThrownBy(calling::result)
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("tools/call: no answer within 5 min");
    }

    @Test
    @Requirement("LIFE-030")
    void aCopyHasItsOwnTimeLimitAndTheOriginalKeepsItsOwn() throws Exception {
        Background<CallToolResult> quick = call(client.withTimeout(Duration.ofSeconds(2)));
        server.next("tools/call");
        Background<CallToolResult> patient = call(client);
        JsonObject request = server.next("tools/call");
        timers.awaitTimers(2);
        timers.advance(Duration.ofSeconds(2));
        assertThatThrownBy(quick::result).isInstanceOf(RequestTimeoutException.class);
        server.next("notifications/cancelled");
        server.answer(request, DONE);
        patient.result();
    }

    @Test
    @Requirement("LIFE-030")
    void aTimeoutAboveTheMaximumLiftsIt() throws Exception {
        Background<CallToolResult> calling = call(client.withTimeout(Duration.ofHours(1)));
        JsonObject request = server.next("tools/call");
        timers.awaitTimers(1);
        timers.advance(Duration.ofMinutes(59));
        server.answer(request, DONE);
        calling.result();
    }

    @Test
    void timeLimitsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> client.withTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.withTimeout(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a timeout must be positive and not above the maximum, but they are 2 s"
                                + " and 1 s");
    }

    // ---- progress

    @Test
    @Requirement({"PROG-001", "PROG-002", "PROG-003", "PROG-005", "PROG-014", "BASE-028"})
    void progressIsRequestedAndDeliveredInOrder() throws Exception {
        List<Progress> heard = new CopyOnWriteArrayList<>();
        Background<CallToolResult> calling = call(client.withProgress(heard::add));
        JsonObject request = server.next("tools/call");
        JsonValue token = request.object("params").object("_meta").get("progressToken");
        assertThat(token).isNotNull();
        server.notifyClient(
                "notifications/progress",
                "{\"progressToken\": %s, \"progress\": 1}".formatted(token));
        server.notifyClient("notifications/progress", "{\"progressToken\": 999, \"progress\": 50}");
        server.notifyClient(
                "notifications/progress",
                "{\"progressToken\": \"0%s\", \"progress\": 60}".formatted(token));
        server.notifyClient( // of a peer that loses the type
                "notifications/progress",
                "{\"progressToken\": \"%s\", \"progress\": 2, \"total\": \"x\"}".formatted(token));
        server.notifyClient(
                "notifications/progress",
                "{\"progressToken\": %s, \"progress\": 2.5, \"total\": 5, \"message\": \"half\"}"
                        .formatted(token));
        server.answer(request, DONE);
        calling.result();
        server.notifyClient(
                "notifications/progress",
                "{\"progressToken\": %s, \"progress\": 3}".formatted(token));
        assertThat(heard)
                .containsExactly(
                        new Progress(1, null, null),
                        new Progress(2, null, null),
                        new Progress(2.5, 5.0, "half"));
    }

    /** Requests of a copy of the client, of the kinds whose answer may take long. */
    interface Question {
        Object of(ClientRequests requests) throws InterruptedException;
    }

    static Stream<Arguments> slowRequests() {
        return Stream.of(
                slow("tools/call", requests -> requests.callTool("slow", JsonObject.EMPTY)),
                slow("resources/read", requests -> requests.readResource("a://b")),
                slow("prompts/get", requests -> requests.getPrompt("p", Map.of())));
    }

    private static Arguments slow(String method, Question asking) {
        return Arguments.of(method, asking);
    }

    @ParameterizedTest
    @MethodSource("slowRequests")
    void progressExtendsTheWaitWithoutAListener(String method, Question asking) throws Exception {
        Background<Object> calling =
                Background.call(
                        () ->
                                asking.of(
                                        client.withTimeout(
                                                Duration.ofSeconds(10), Duration.ofSeconds(25))));
        JsonObject request = server.next(method);
        JsonValue token = request.object("params").object("_meta").get("progressToken");
        timers.awaitTimers(1);
        for (int second = 8; second <= 24; second += 8) {
            timers.advance(Duration.ofSeconds(8));
            server.notifyClient(
                    "notifications/progress",
                    "{\"progressToken\": %s, \"progress\": %s}".formatted(token, second));
        }
        timers.advance(Duration.ofSeconds(1)); // a server that never stops reporting gains no more
        assertThatThrownBy(calling::result)
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage(method + ": no answer within 25 s");
    }

    @Test
    void noProgressIsAskedForWhereItExtendsNothing() throws Exception {
        Background<CallToolResult> calling =
                call(client.withTimeout(Duration.ofSeconds(10), Duration.ofSeconds(10)));
        JsonObject request = server.next("tools/call");
        assertThat(request.object("params").has("_meta")).isFalse();
        server.answer(request, DONE);
        calling.result();

        Background<Object> listing = Background.call(client::tools);
        JsonObject list = server.next("tools/list");
        assertThat(list.toJson()).doesNotContain("progressToken");
        server.answer(list, "{\"tools\": []}");
        listing.result();
    }

    @Test
    @Requirement({"LIFE-031", "LIFE-032"})
    void progressExtendsTheWaitUpToTheMaximum() throws Exception {
        Background<CallToolResult> calling =
                call(
                        client.withTimeout(Duration.ofSeconds(10), Duration.ofSeconds(25))
                                .withProgress(report -> {}));
        JsonObject request = server.next("tools/call");
        JsonValue token = request.object("params").object("_meta").get("progressToken");
        timers.awaitTimers(1);
        for (int second = 8; second <= 24; second += 8) {
            timers.advance(Duration.ofSeconds(8));
            server.notifyClient(
                    "notifications/progress",
                    "{\"progressToken\": %s, \"progress\": %s}".formatted(token, second));
        }
        timers.advance(Duration.ofSeconds(1));
        assertThatThrownBy(calling::result)
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("tools/call: no answer within 25 s");
        server.next("notifications/cancelled");
    }

    @Test
    @Requirement("PROG-012")
    void aFloodOfProgressIsBoundedAndTheNewestIsDelivered() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        List<Double> heard = new CopyOnWriteArrayList<>();
        Background<CallToolResult> calling =
                call(
                        client.withProgress(
                                report -> {
                                    heard.add(report.progress());
                                    first.countDown();
                                    try {
                                        proceed.await();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                }));
        JsonObject request = server.next("tools/call");
        JsonValue token = request.object("params").object("_meta").get("progressToken");
        for (int i = 1; i <= 10_000; i++) {
            server.notifyClient(
                    "notifications/progress",
                    "{\"progressToken\": %s, \"progress\": %s}".formatted(token, i));
            if (i == 1) {
                assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();
            }
        }
        server.answer(request, DONE);
        proceed.countDown();
        calling.result();
        assertThat(heard).hasSizeLessThan(100).startsWith(1.0).endsWith(10_000.0).isSorted();
    }

    // ---- cancelling own requests

    @Test
    @Requirement({"CANC-001", "CANC-002", "CANC-012"})
    void anInterruptCancelsAtTheServer() throws Exception {
        Background<CallToolResult> calling = call(client);
        JsonObject request = server.next("tools/call");
        calling.interrupt();
        assertThatThrownBy(calling::result).isInstanceOf(InterruptedException.class);
        assertThat(server.next("notifications/cancelled").object("params").get("requestId"))
                .isEqualTo(request.get("id"));
    }

    @Test
    @Requirement("CANC-001")
    void cancellingAFutureCancelsAtTheServer() throws Exception {
        Background<CallToolResult> calling = call(client);
        JsonObject request = server.next("tools/call");
        calling.cancel();
        assertThat(server.next("notifications/cancelled").object("params").get("requestId"))
                .isEqualTo(request.get("id"));
    }

    @Test
    @Requirement({"CANC-010", "CANC-002"})
    void theResponseBeforeTheCancelEndsTheCallAndNothingIsCancelled() throws Exception {
        Background<CallToolResult> calling = call(client);
        JsonObject request = server.next("tools/call");
        server.answer(request, DONE);
        calling.result();
        calling.interrupt();
        server.expectNothing();
    }

    @Test
    @Requirement({"CANC-009", "CANC-010", "BASE-018", "ROOM-042"})
    void theResponseAfterTheCancelIsDropped() throws Exception {
        Background<CallToolResult> calling = call(client);
        JsonObject request = server.next("tools/call");
        calling.interrupt();
        server.next("notifications/cancelled");
        server.answer(request, DONE);
        server.refuse(request, -32603, "too late");
        assertThatThrownBy(calling::result).isInstanceOf(InterruptedException.class);
        server.on("ping", "{}");
        client.ping();
    }

    @Test
    @Requirement({"CANC-009", "CANC-010"})
    void theResponseThatCrossesTheCancelIsEitherTakenOrDropped() throws Exception {
        for (int round = 0; round < 200; round++) {
            Background<CallToolResult> calling = call(client);
            JsonObject request = server.next("tools/call");
            Thread answering = Thread.ofVirtual().start(() -> server.answer(request, DONE));
            calling.interrupt();
            try {
                calling.result();
            } catch (InterruptedException e) {
                server.next("notifications/cancelled");
            }
            answering.join();
            server.expectNothing();
        }
    }

    // ---- being cancelled

    @Test
    @Requirement({"CANC-007", "CANC-010"})
    void theServersCancelInterruptsTheHandlerAndNothingIsAnswered() throws Exception {
        server.ask(7, "com.example/wait", "{}");
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        server.notifyClient(
                "notifications/cancelled", "{\"requestId\": 7, \"reason\": \"never mind\"}");
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(server.abandoned.poll(30, TimeUnit.SECONDS)).isNotNull();
        server.expectNothing();
    }

    @Test
    @Requirement({"CANC-008", "CANC-010", "CANC-011"})
    void theServersCancelAfterTheAnswerIsIgnored() throws Exception {
        release.countDown();
        server.ask(7, "com.example/wait", "{}");
        assertThat(server.response(7))
                .isEqualTo(json("{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {}}"));
        server.notifyClient("notifications/cancelled", "{\"requestId\": 7}");
        server.ask(8, "com.example/wait", "{}");
        server.response(8);
    }

    @Test
    @Requirement({"CANC-008", "CANC-011", "ROOM-031", "ROOM-032"})
    void invalidCancellationsAreIgnored() throws Exception {
        server.ask(7, "com.example/wait", "{}");
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        server.notifyClient("notifications/cancelled", "{\"requestId\": \"7\"}");
        server.notifyClient("notifications/cancelled", "{\"requestId\": 999}");
        server.notifyClient("notifications/cancelled", "{\"requestId\": {}}");
        server.notifyClient("notifications/cancelled", "{}");
        release.countDown();
        server.response(7);
        server.expectNothing();
    }

    @Test
    @Requirement("CANC-010")
    void theServersCancelThatCrossesTheAnswerEndsTheRequestOnce() throws Exception {
        release.countDown();
        for (int id = 100; id < 300; id++) {
            server.ask(id, "com.example/wait", "{}");
            server.notifyClient("notifications/cancelled", "{\"requestId\": %s}".formatted(id));
        }
        assertThat(server.ended.tryAcquire(200, 30, TimeUnit.SECONDS)).isTrue();
        assertThat(server.ended.availablePermits()).isZero();
    }

    @Test
    @Requirement("LIFE-027")
    void closingInterruptsRunningHandlers() throws Exception {
        server.ask(7, "com.example/wait", "{}");
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        client.close();
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
