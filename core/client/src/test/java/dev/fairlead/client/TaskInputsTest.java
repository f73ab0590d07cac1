package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.tasks.TaskInputs;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tasks.GetTaskPayloadResult;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Questions of tasks of the extension, and the answers of a client. */
final class TaskInputsTest {
    private static final Duration POLL = Duration.ofMillis(200);

    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();
    private final AtomicInteger asked = new AtomicInteger();

    TaskInputsTest() {
        server.on(
                "server/discover",
                """
                {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities":
                 {"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}}\
                """);
    }

    private static McpClient.Builder builder() {
        return McpClient.named("desk", "1").revisions(Revision.V2026_07_28, Revision.V2026_07_28);
    }

    private McpClient connect() throws InterruptedException {
        return builder()
                .onElicitForm(
                        form -> {
                            asked.incrementAndGet();
                            return Answer.accept(JsonObject.EMPTY);
                        })
                .connect(server, timers);
    }

    private static String task(String status, String more) {
        return """
        {"resultType": "complete", "taskId": "t1", "status": "%s", "ttlMs": null,
         "pollIntervalMs": 200, "createdAt": "2026-07-28T00:00:00Z",
         "lastUpdatedAt": "2026-07-28T00:00:00Z"%s}\
        """
                .formatted(status, more.isEmpty() ? "" : ", " + more);
    }

    private static String waiting(String... keys) {
        StringBuilder entries = new StringBuilder();
        for (String key : keys) {
            entries.append(entries.isEmpty() ? "" : ", ")
                    .append(
                            """
                            "%s": {"method": "elicitation/create", "params": {"message": "m",
                             "requestedSchema": {"type": "object", "properties": {}}}}\
                            """
                                    .formatted(key));
        }
        return task("input_required", "\"inputRequests\": {" + entries + "}");
    }

    @CheckReturnValue
    private Background<GetTaskPayloadResult> result(McpClient client) {
        return Background.call(() -> client.taskResult(new TaskId("t1")));
    }

    private void look(String task) throws Exception {
        server.answer(server.next("tasks/get"), task);
    }

    private JsonObject update() throws Exception {
        JsonObject update = server.next("tasks/update");
        assertThat(update.object("params").get("taskId").toString()).contains("t1");
        assertThat(
                        update.object("params")
                                .object("_meta")
                                .object("io.modelcontextprotocol/clientCapabilities")
                                .object("extensions")
                                .names())
                .containsExactly("io.modelcontextprotocol/tasks");
        return update;
    }

    @Test
    @Requirement({"N26-TASK-001", "N26-TASK-016", "N26-TASK-017", "N26-TASK-020"})
    void eachKeyIsAnsweredOnce() throws Exception {
        try (McpClient client = connect()) {
            Background<GetTaskPayloadResult> result = result(client);
            look(waiting("q1"));
            JsonObject first = update();
            assertThat(first.object("params").object("inputResponses").names())
                    .containsExactly("q1");
            timers.untilNextTimer(() -> server.answer(first, "{\"resultType\": \"complete\"}"));
            timers.advance(POLL);
            look(waiting("q1", "q2")); // the answer is not taken yet
            JsonObject second = update();
            assertThat(second.object("params").object("inputResponses").names())
                    .containsExactly("q2");
            timers.untilNextTimer(() -> server.answer(second, "{\"resultType\": \"complete\"}"));
            timers.advance(POLL);
            look(task("completed", "\"result\": {\"resultType\": \"complete\", \"content\": []}"));
            assertThat(result.result().toObject().has("content")).isTrue();
            assertThat(asked).hasValue(2);
        }
    }

    @Test
    @Requirement("N26-TASK-038")
    void aTaskThatWaitsForAnsweredKeysAloneIsGivenUp() throws Exception {
        try (McpClient client = connect()) {
            Background<GetTaskPayloadResult> result =
                    Background.call(
                            () ->
                                    client.withTimeout(Duration.ofDays(1), Duration.ofDays(1))
                                            .taskResult(new TaskId("t1")));
            look(waiting("q1"));
            JsonObject update = update();
            timers.untilNextTimer(() -> server.answer(update, "{\"resultType\": \"complete\"}"));
            timers.advance(POLL);
            for (int i = 1; i < TaskInputs.MAX_LOOKS; i++) {
                JsonObject get = server.next("tasks/get");
                timers.untilNextTimer(() -> server.answer(get, waiting("q1")));
                timers.advance(POLL);
            }
            JsonObject between = server.next("tasks/get");
            timers.untilNextTimer(() -> server.answer(between, task("working", "")));
            timers.advance(POLL);
            for (int i = 1; i < TaskInputs.MAX_LOOKS; i++) { // in a row
                JsonObject get = server.next("tasks/get");
                timers.untilNextTimer(() -> server.answer(get, waiting("q1")));
                timers.advance(POLL);
            }
            look(waiting("q1"));
            assertThatThrownBy(result::result)
                    .isInstanceOf(InvalidResultException.class)
                    .hasMessageContaining("60 looks");
            assertThat(asked).hasValue(1);
        }
    }

    private static Stream<CallException> failuresOfOtherServers() {
        return Stream.of(
                new ConnectionException("expected by this test"),
                new RequestTimeoutException("expected by this test"),
                new JsonRpcException(-32603, "expected by this test"));
    }

    @ParameterizedTest
    @MethodSource("failuresOfOtherServers")
    @Requirement("N26-TASK-016")
    void aHandlerWhoseOwnRequestFailsEndsTheWaitAndIsNotAskedAgain(CallException failure)
            throws Exception {
        McpClient.Builder builder =
                builder()
                        .onElicitForm(
                                form -> {
                                    asked.incrementAndGet();
                                    throw failure;
                                });
        // another thread may ask for the changes of the task while a caller awaits it
        server.silently("subscriptions/listen").silently("notifications/cancelled");
        try (McpClient client = builder.connect(server, timers)) {
            Background<GetTaskPayloadResult> awaited =
                    Background.call(() -> client.task(new TaskId("t1")).await());
            look(waiting("q1"));
            look(waiting("q1"));
            assertThatThrownBy(awaited::result)
                    .isInstanceOf(failure.getClass())
                    .hasMessage(failure.getMessage());
            Background<GetTaskPayloadResult> result = result(client);
            look(waiting("q1"));
            assertThatThrownBy(result::result)
                    .isInstanceOf(failure.getClass())
                    .hasMessage(failure.getMessage());
            assertThat(asked).hasValue(2);
            server.expectNothing();
        }
    }

    @Test
    void aTaskThatAsksWithoutEndIsGivenUp() throws Exception {
        try (McpClient client = connect()) {
            Background<GetTaskPayloadResult> result = result(client);
            String key = "q".repeat(TaskInputs.MAX_CHARACTERS / 4);
            for (int i = 0; i < 3; i++) {
                look(waiting(key + i));
                JsonObject update = update();
                timers.untilNextTimer(
                        () -> server.answer(update, "{\"resultType\": \"complete\"}"));
                timers.advance(POLL);
            }
            look(waiting(key + 3));
            assertThatThrownBy(result::result)
                    .isInstanceOf(InvalidResultException.class)
                    .hasMessageContaining("t1")
                    .hasMessageContaining(String.valueOf(TaskInputs.MAX_CHARACTERS));
            assertThat(asked).hasValue(3);
        }
    }

    @Test
    void anInputRequestThatCannotBeReadEndsTheWaitAndIsNamed() throws Exception {
        String unreadable =
                "\"statusMessage\": 7, \"inputRequests\": {\"a\": {\"method\": \"roots/list\"},"
                        + " \"b\": {}}";
        String message = "The result of tasks/get is invalid: inputRequests.b.method is missing";
        String created = task("input_required", unreadable).replace("complete", "task");
        try (McpClient client = connect()) {
            for (String answer : List.of(task("input_required", unreadable), created)) {
                Background<GetTaskPayloadResult> result = result(client);
                look(answer);
                assertThatThrownBy(result::result)
                        .isInstanceOf(InvalidResultException.class)
                        .hasMessage(message);
            }
            Background<GetTaskPayloadResult> ended = result(client);
            look(task("completed", unreadable + ", \"result\": {\"content\": []}"));
            assertThat(ended.result().toObject().has("content")).isTrue();

            Background<GetTaskPayloadResult> alone = result(client);
            JsonObject get = server.next("tasks/get");
            String none = task("input_required", "\"statusMessage\": 7, \"inputRequests\": null");
            timers.untilNextTimer(() -> server.answer(get, none));
            timers.advance(POLL);
            look(task("completed", "\"result\": {\"content\": []}"));
            assertThat(alone.result().toObject().has("content")).isTrue();
        }
    }

    @Test
    void anErrorOfTheTaskIsThrownAndWhatIsMissingNamed() throws Exception {
        try (McpClient client = connect()) {
            Background<GetTaskPayloadResult> failed = result(client);
            look(task("failed", "\"error\": {\"code\": -7, \"message\": \"broken\"}"));
            assertThatThrownBy(failed::result)
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-7));
            Background<GetTaskPayloadResult> empty = result(client);
            look(task("completed", ""));
            assertThatThrownBy(empty::result)
                    .isInstanceOf(InvalidResultException.class)
                    .hasMessageContaining("has no result");
        }
    }
}
