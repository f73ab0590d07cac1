package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Calls that are sent again: all that is sent for one call has one maximum, and of a call in rounds
 * only the round is repeated.
 */
@Timeout(60)
final class RepeatedCallsTest {
    private static final Duration MAXIMUM = Duration.ofSeconds(15);
    private static final JsonObject OSLO = JsonObject.of("place", "Oslo");
    private static final CallToolRequest FIND = new CallToolRequest("find", OSLO);
    private static final int MISMATCH = -32020;
    private static final String TASKS_MISSING =
            """
            {"code": -32021, "message": "tasks", "data": {"requiredCapabilities":
             {"extensions": {"io.modelcontextprotocol/tasks": {}}}}}\
            """;
    private static final String DONE =
            """
            {"resultType": "complete", "content": [{"type": "text", "text": "done"}]}\
            """;
    private static final String QUESTION =
            """
            {"resultType": "input_required", "requestState": "s1", "inputRequests": {
             "sure": {"method": "elicitation/create", "params": {"message": "Sure?",
              "requestedSchema": {"type": "object", "properties": {}}}}}}\
            """;
    private static final String TASK =
            """
            {"resultType": "task", "taskId": "t1", "status": "working", "ttlMs": null,
             "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z"}\
            """;

    private final FakeServer server = new FakeServer().withHeaders();
    private final ManualTimers timers = new ManualTimers();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Runnable person = () -> {};

    RepeatedCallsTest() {
        server.silently("subscriptions/listen").silently("notifications/cancelled");
        server.on(
                "server/discover",
                """
                {"resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0,
                 "cacheScope": "private", "capabilities": {"tools": {}, "resources": {},
                  "extensions": {"io.modelcontextprotocol/tasks": {}}}}\
                """);
    }

    private static String tools(String header) {
        return """
        {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": [
         {"name": "find", "inputSchema": {"type": "object", "properties": {
          "place": {"type": "string", "x-mcp-header": "%s"}}}}]}\
        """
                .formatted(header);
    }

    private McpClient.Builder builder() {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                .onElicitForm(
                        form -> {
                            asked.incrementAndGet();
                            person.run();
                            return Answer.accept(JsonObject.EMPTY);
                        });
    }

    private McpClient connect() throws InterruptedException {
        return builder().connect(server, timers);
    }

    /** Sends the request under test, with one limit for all of it. */
    private interface Call {
        Object with(ClientRequests client) throws Exception;

        @CheckReturnValue
        default Background<Object> begin(McpClient client) {
            return Background.call(() -> with(client.withTimeout(MAXIMUM, MAXIMUM)));
        }
    }

    private static Stream<Named<Call>> plainCalls() {
        return Stream.of(
                Named.of("callTool", client -> client.callTool(FIND)),
                Named.of(
                        "tool",
                        client -> client.tool("find", JsonObject.class, String.class).call(OSLO)),
                Named.of(
                        "request",
                        client ->
                                client.request(
                                        "tools/call",
                                        JsonObject.of("name", "find", "arguments", OSLO))));
    }

    private static Stream<Named<Call>> calls() {
        return Stream.concat(
                plainCalls(),
                Stream.of(
                        Named.of("firstRound", client -> client.firstRound(FIND)),
                        Named.of("startTool", client -> client.startTool(FIND))));
    }

    /** The next request, after which the clock may be moved: its time is counted. */
    private JsonObject next(String method) throws InterruptedException {
        JsonObject request = server.next(method);
        timers.awaitTimers(1);
        return request;
    }

    private void assertOverAfter(Duration left, Background<?> call) {
        timers.advance(left.minusMillis(1));
        assertThat(timers.waiting()).isPositive();
        timers.advance(Duration.ofMillis(1));
        assertThatThrownBy(call::result).isInstanceOf(RequestTimeoutException.class);
    }

    /** Moves the clock until a request comes, by this duration at most. */
    private JsonObject advanceUntilNext(String method, Duration most) throws InterruptedException {
        Instant end = timers.clock().instant().plus(most);
        await(method)
                .until(
                        () -> {
                            boolean may = timers.clock().instant().isBefore(end);
                            timers.advance(may ? Duration.ofMillis(20) : Duration.ZERO);
                            return server.hasNext();
                        });
        return server.next(method);
    }

    private static JsonObject arguments(JsonObject request) {
        return request.object("params").without("_meta");
    }

    // ---- one maximum

    @ParameterizedTest
    @MethodSource("calls")
    void theLookAtTheListAndTheRepetitionCountTowardsTheMaximum(Call call) throws Exception {
        try (McpClient client = connect()) {
            server.on("tools/list", tools("Old"));
            client.tools();
            server.keep("tools/list");
            Background<Object> calling = call.begin(client);
            JsonObject first = next("tools/call");
            timers.advance(Duration.ofSeconds(6));
            server.refuse(first, MISMATCH, "Header mismatch");
            JsonObject list = next("tools/list");
            timers.advance(Duration.ofSeconds(5));
            server.answer(list, tools("Place"));
            next("tools/call");
            assertOverAfter(Duration.ofSeconds(4), calling);
        }
    }

    @Test
    void theLookAtTheListDoesNotLastLongerThanTheCallMay() throws Exception {
        try (McpClient client = connect()) {
            Background<Object> calling = ((Call) all -> all.callTool(FIND)).begin(client);
            JsonObject first = next("tools/call");
            timers.advance(Duration.ofSeconds(10));
            server.refuse(first, MISMATCH, "Header mismatch");
            next("tools/list");
            assertOverAfter(Duration.ofSeconds(5), calling);
        }
    }

    @Test
    void theFirstLookAtADefinitionCountsTowardsTheMaximumOfATypedCall() throws Exception {
        try (McpClient client = connect()) {
            Call typed = all -> all.tool("find", JsonObject.class, String.class).call(OSLO);
            Background<Object> calling = typed.begin(client);
            JsonObject list = next("tools/list");
            timers.advance(Duration.ofSeconds(10));
            server.answer(list, tools("Place"));
            next("tools/call");
            assertOverAfter(Duration.ofSeconds(5), calling);
        }
    }

    @Test
    void theRepetitionWithTasksCountsTowardsTheMaximum() throws Exception {
        try (McpClient client = connect()) {
            Background<Object> calling = ((Call) all -> all.callTool(FIND)).begin(client);
            JsonObject first = next("tools/call");
            timers.advance(Duration.ofSeconds(10));
            server.refuse(first, TASKS_MISSING);
            next("tools/call");
            timers.awaitTimers(2); // that of the caller, and that of the request
            assertOverAfter(Duration.ofSeconds(5), calling);
        }
    }

    @Test
    void theWaitForTheEndOfTheTaskCountsTowardsTheMaximum() throws Exception {
        try (McpClient client = connect()) {
            Background<Object> calling = ((Call) all -> all.callTool(FIND)).begin(client);
            JsonObject first = next("tools/call");
            timers.advance(Duration.ofSeconds(6));
            server.refuse(first, TASKS_MISSING);
            JsonObject second = next("tools/call");
            timers.advance(Duration.ofSeconds(6));
            server.on("tasks/get", TASK);
            server.answer(second, TASK);
            long before = timers.nanoTime();
            advanceUntilNext("tasks/cancel", Duration.ofSeconds(10));
            assertThat(Duration.ofNanos(timers.nanoTime() - before))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(3));
            assertThatThrownBy(calling::result).isInstanceOf(RequestTimeoutException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theRepetitionAfterALostAnswerCountsTowardsTheMaximum(boolean byHand) throws Exception {
        try (McpClient client = connect()) {
            Call reading =
                    byHand
                            ? all -> all.request("resources/read", JsonObject.of("uri", "a://b"))
                            : all -> all.readResource("a://b");
            Background<Object> calling = reading.begin(client);
            JsonObject first = next("resources/read");
            timers.advance(Duration.ofSeconds(10));
            server.fail(first, new ConnectionException("the stream broke"));
            next("resources/read");
            assertOverAfter(Duration.ofSeconds(5), calling);
        }
    }

    @Test
    void aNewSessionLeavesTheMaximumAsItIs() throws Exception {
        FakeServer older = new FakeServer();
        try (McpClient client =
                McpClient.named("desk", "1")
                        .revisions(Revision.V2025_11_25, Revision.V2025_11_25)
                        .connect(older, timers)) {
            Background<Object> calling = ((Call) all -> all.callTool(FIND)).begin(client);
            JsonObject first = older.next("tools/call");
            timers.awaitTimers(1);
            timers.advance(Duration.ofSeconds(10));
            older.fail(first, new SessionExpiredException("404"));
            older.next("tools/call");
            timers.awaitTimers(1);
            assertOverAfter(Duration.ofSeconds(5), calling);
        }
    }

    // ---- a later round

    /** Calls, has the question answered, and returns the second round. */
    private JsonObject secondRound(String first) throws InterruptedException {
        server.answer(next("tools/call"), first);
        JsonObject second = next("tools/call");
        assertThat(second.object("params").has("inputResponses")).isTrue();
        return second;
    }

    @ParameterizedTest
    @MethodSource("plainCalls")
    @Requirement({"N26-HDR-015", "N26-MRTR-008", "N26-MRTR-010"})
    void aLaterRoundWhoseHeadersAreRefusedIsRepeatedAlone(Call call) throws Exception {
        try (McpClient client = connect()) {
            server.on("tools/list", tools("Old"));
            client.tools();
            Background<Object> calling = call.begin(client);
            JsonObject second = secondRound(QUESTION);
            assertThat(server.lastHeaders()).containsKey("Mcp-Param-Old");

            server.on("tools/list", tools("Place"));
            server.refuse(second, MISMATCH, "Header mismatch");

            JsonObject repeated = next("tools/call");
            assertThat(server.lastHeaders())
                    .containsEntry("Mcp-Param-Place", "Oslo")
                    .doesNotContainKey("Mcp-Param-Old");
            assertThat(arguments(repeated)).isEqualTo(arguments(second));
            assertThat(repeated.object("params").get("requestState")).isEqualTo(JsonValue.of("s1"));
            assertThat(repeated.get("id")).isNotEqualTo(second.get("id"));
            server.answer(repeated, DONE);
            assertThat(calling.result().toString()).contains("done");
            assertThat(asked).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("plainCalls")
    @Requirement("N26-HDR-015")
    void aLaterRoundWhoseHeadersAreRefusedAgainFails(Call call) throws Exception {
        AtomicInteger lists = new AtomicInteger();
        try (McpClient client = connect()) {
            server.on(
                    "tools/list",
                    params -> {
                        lists.incrementAndGet();
                        return tools("Place");
                    });
            client.tools();
            Background<Object> calling = call.begin(client);
            server.refuse(secondRound(QUESTION), MISMATCH, "Header mismatch");
            JsonObject repeated = next("tools/call");
            assertThat(repeated.object("params").has("inputResponses")).isTrue();
            server.refuse(repeated, MISMATCH, "Header mismatch again");
            assertThatThrownBy(calling::result)
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(MISMATCH))
                    .hasMessage("Header mismatch again");
            assertThat(lists).hasValue(2);
            assertThat(asked).hasValue(1);
            server.expectNothing();
        }
    }

    @Test
    @Requirement("N26-HDR-015")
    void aRoundByHandWhoseHeadersAreRefusedIsRepeatedWithItsStateAndAnswers() throws Exception {
        try (McpClient client = connect()) {
            server.on("tools/list", tools("Place"));
            JsonObject answer = JsonObject.of("action", "decline");
            Background<Outcome<?>> calling =
                    Background.call(() -> client.nextRound(FIND, Map.of("sure", answer), "s1"));
            JsonObject round = next("tools/call");
            server.refuse(round, MISMATCH, "Header mismatch");
            JsonObject repeated = next("tools/call");
            assertThat(arguments(repeated)).isEqualTo(arguments(round));
            server.answer(repeated, DONE);
            assertThat(calling.result()).isInstanceOf(Outcome.Complete.class);
        }
    }

    @Test
    void theRepetitionOfALaterRoundCountsTowardsTheMaximum() throws Exception {
        person = () -> timers.advance(Duration.ofHours(1));
        try (McpClient client = connect()) {
            Background<Object> calling = ((Call) all -> all.callTool(FIND)).begin(client);
            JsonObject second = secondRound(QUESTION);
            timers.advance(Duration.ofSeconds(6));
            server.refuse(second, MISMATCH, "Header mismatch");
            JsonObject list = next("tools/list");
            timers.advance(Duration.ofSeconds(5));
            server.answer(list, tools("Place"));
            next("tools/call");
            assertOverAfter(Duration.ofSeconds(4), calling);
        }
    }

    @Test
    @Requirement({"N26-TASK-004", "N26-MRTR-008"})
    void aLaterRoundThatNeedsTasksIsRepeatedAloneAndDeclaresThem() throws Exception {
        List<Integer> rounds = new ArrayList<>();
        McpClient.Builder counting =
                builder()
                        .intercept(
                                (call, next) -> {
                                    try {
                                        return next.proceed(call);
                                    } finally {
                                        rounds.add(call.round());
                                    }
                                });
        try (McpClient client = counting.connect(server, timers)) {
            Background<Object> calling = ((Call) all -> all.callTool(FIND)).begin(client);
            JsonObject second = secondRound(QUESTION);
            server.refuse(second, TASKS_MISSING);
            JsonObject repeated = next("tools/call");
            assertThat(arguments(repeated)).isEqualTo(arguments(second));
            assertThat(
                            repeated.object("params")
                                    .object("_meta")
                                    .object("io.modelcontextprotocol/clientCapabilities")
                                    .has("extensions"))
                    .isTrue();
            server.answer(repeated, TASK);
            server.answer(
                    next("tasks/get"),
                    """
                    {"resultType": "complete", "taskId": "t1", "status": "completed",
                     "ttlMs": null, "createdAt": "2026-07-28T00:00:00Z",
                     "lastUpdatedAt": "2026-07-28T00:00:01Z",
                     "result": {"content": [{"type": "text", "text": "done"}]}}\
                    """);
            assertThat(calling.result().toString()).contains("done");
            assertThat(asked).hasValue(1);
            assertThat(rounds.subList(0, 2)).containsExactly(2, 2);
        }
    }

    @Test
    void aLaterRoundThatNeedsTasksAgainFails() throws Exception {
        try (McpClient client = connect()) {
            Background<Object> calling = ((Call) all -> all.callTool(FIND)).begin(client);
            server.refuse(secondRound(QUESTION), TASKS_MISSING);
            server.refuse(next("tools/call"), TASKS_MISSING);
            assertThatThrownBy(calling::result)
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32021));
            assertThat(asked).hasValue(1);
            server.expectNothing();
        }
    }

    @Test
    void aRoundByHandThatNeedsTasksFails() throws Exception {
        try (McpClient client = connect()) {
            JsonObject answer = JsonObject.of("action", "decline");
            Background<Outcome<?>> calling =
                    Background.call(() -> client.nextRound(FIND, Map.of("sure", answer), "s1"));
            server.refuse(next("tools/call"), TASKS_MISSING);
            assertThatThrownBy(calling::result)
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32021));
            server.expectNothing();
        }
    }

    @Test
    void aRefusedLaterRoundDoesNotBeginACallAgainWhosePersonHasAnswered() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onElicitForm(
                                form -> {
                                    asked.incrementAndGet();
                                    return Answer.accept(JsonObject.EMPTY);
                                })
                        .connect(server, timers)) {
            Background<Object> calling = ((Call) all -> all.callTool(FIND)).begin(client);
            JsonObject second = secondRound(QUESTION);
            server.refuse(second, -32602, "no session");
            assertThatThrownBy(calling::result)
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessage("no session");
            assertThat(asked).hasValue(1);
            server.expectNothing();
        }
    }

    // ---- calls that may become tasks

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thePersonMayTakeLongerThanTheTimeoutOfACallThatMayBecomeATask(boolean started)
            throws Exception {
        person = () -> timers.advance(Duration.ofHours(1));
        try (McpClient client = builder().acceptTasks().connect(server, timers)) {
            Call call = started ? all -> all.startTool(FIND).await() : all -> all.callTool(FIND);
            Background<Object> calling = call.begin(client);
            server.answer(secondRound(QUESTION), DONE);
            assertThat(calling.result().toString()).contains("done");
        }
    }

    @Test
    @Requirement("N26-CANC-001")
    void anInterruptEndsTheQuestionOfACallThatMayBecomeATask() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        person =
                () -> {
                    open.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                };
        try (McpClient client = builder().acceptTasks().connect(server, timers)) {
            Background<Object> calling = ((Call) all -> all.callTool(FIND)).begin(client);
            server.answer(next("tools/call"), QUESTION);
            assertThat(open.await(30, TimeUnit.SECONDS)).isTrue();
            calling.interrupt();
            assertThatThrownBy(calling::result).isInstanceOf(InterruptedException.class);
            assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            server.on("tools/list", tools("Place"));
            client.tools();
            server.expectNothing(); // no retry
        }
    }

    @Test
    void progressRestartsTheTimeoutOfACallThatMayBecomeATask() throws Exception {
        try (McpClient client = builder().acceptTasks().connect(server, timers)) {
            List<Double> reports = new ArrayList<>();
            Background<Object> calling =
                    Background.call(
                            () ->
                                    client.withTimeout(Duration.ofSeconds(5), MAXIMUM)
                                            .withProgress(
                                                    report -> {
                                                        reports.add(report.progress());
                                                        timers.advance(Duration.ofSeconds(4));
                                                    })
                                            .callTool(FIND));
            JsonObject call = next("tools/call");
            timers.awaitTimers(2);
            Object token = call.object("params").object("_meta").get("progressToken");
            for (int i = 1; i <= 2; i++) {
                server.notifyClient(
                        "notifications/progress",
                        "{\"progressToken\": %s, \"progress\": %s}".formatted(token, i));
            }
            server.answer(call, DONE);
            assertThat(calling.result().toString()).contains("done");
            assertThat(reports).containsExactly(1.0, 2.0);
        }
    }

    @Test
    void thePersonMayAnswerATaskForLongerThanTheMaximumOfItsCall() throws Exception {
        person = () -> timers.advance(Duration.ofHours(1));
        try (McpClient client = builder().acceptTasks().connect(server, timers)) {
            Duration limit = Duration.ofMinutes(30); // the wait before the next look counts
            Background<Object> calling =
                    Background.call(() -> client.withTimeout(limit, limit).callTool(FIND));
            server.answer(next("tools/call"), TASK);
            String state = json(TASK).without("status", "resultType").toJson();
            String open = state.substring(1, state.length() - 1);
            String waiting =
                    "{\"resultType\": \"complete\", \"status\": \"input_required\", %s, %s}"
                            .formatted(
                                    open,
                                    QUESTION.substring(
                                            QUESTION.indexOf("\"inputRequests"),
                                            QUESTION.length() - 1));
            server.answer(next("tasks/get"), waiting);
            server.answer(next("tasks/update"), "{\"resultType\": \"complete\"}");
            server.answer(
                    advanceUntilNext("tasks/get", limit),
                    "{\"resultType\": \"complete\", \"status\": \"completed\", %s, \"result\": %s}"
                            .formatted(
                                    open,
                                    "{\"content\": [{\"type\": \"text\", \"text\": \"done\"}]}"));
            assertThat(calling.result().toString()).contains("done");
            assertThat(asked).hasValue(1);
        }
    }
}
