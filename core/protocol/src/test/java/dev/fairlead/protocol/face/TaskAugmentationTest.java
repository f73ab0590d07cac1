package dev.fairlead.protocol.face;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.List;

/** Requests that ask for a task, and their responses. */
class TaskAugmentationTest {
    private static final WireFace NEWEST = HandshakeFace.of(Revision.NEWEST_WITH_HANDSHAKE);
    private static final CreateTaskResult CREATED =
            new CreateTaskResult(
                    new Task(
                            new TaskId("t-1"),
                            TaskStatus.WORKING,
                            Instant.parse("2025-11-25T10:30:00Z"),
                            Instant.parse("2025-11-25T10:30:00Z")));
    private static final String CREATED_JSON =
            """
            {"task":{"taskId":"t-1","status":"working","createdAt":"2025-11-25T10:30:00Z",\
            "lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":null}}\
            """;

    private static CallToolRequest call(String task) {
        return NEWEST.readParams(Methods.CALL_TOOL, callWith(task)).params();
    }

    private static RawJson callWith(String task) {
        return RawJson.parse("{\"name\":\"t\",\"task\":" + task + "}");
    }

    // ---- asking for a task

    @Test
    @Requirement({"TASK-018", "ROOM-016"})
    void aTaskIsAskedForByAnObject() {
        assertThat(call("{}").task()).isEqualTo(new TaskMetadata());
        assertThat(call("{\"ttl\":null}").task()).isEqualTo(new TaskMetadata());
        assertThat(call("{\"ttl\":4294967296}").task())
                .isEqualTo(new TaskMetadata().withTtl(1L << 32));
        assertThat(call("null").task()).isNull();
        CallToolRequest elsewhere =
                NEWEST.readParams(
                                Methods.CALL_TOOL,
                                RawJson.parse("{\"name\":\"t\",\"_meta\":{\"task\":{}}}"))
                        .params();
        assertThat(elsewhere.task()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"ttl\":0}|task.ttl must be at least 1",
                "{\"ttl\":-5}|task.ttl must be at least 1",
                "{\"ttl\":1.5}|task.ttl must be an integer",
                "{\"ttl\":\"1\"}|task.ttl must be an integer but was a string",
                "{\"ttl\":1e30}|task.ttl must be from -9223372036854775808 to 9223372036854775807",
                "true|task must be an object but was a boolean",
                "[{}]|task must be an object but was an array",
            })
    @Requirement("ROOM-016")
    void aTimeToLiveIsAPositiveInteger(String task, String message) {
        assertThatThrownBy(() -> call(task))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> assertThat(e.error().code()).isEqualTo(ErrorCode.INVALID_PARAMS))
                .hasMessage("Invalid params: " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"ttl\":1}", "{\"ttl\":0}", "true", "null", "[{}]"})
    void theTaskMemberIsIgnoredWithoutTaskSupport(String task) {
        assertThat(NEWEST.readPlainParams(Methods.CALL_TOOL, callWith(task)).params())
                .isEqualTo(new CallToolRequest("t", null, null, null, JsonObject.EMPTY));
    }

    @Test
    void otherMembersAreReadWithoutTaskSupport() {
        Received<CallToolRequest> received =
                NEWEST.readPlainParams(
                        Methods.CALL_TOOL,
                        RawJson.parse(
                                """
                                {"name":"t","task":7,"later":1,"arguments":{"task":2},"_meta":{"progressToken":3}}
                                """));
        assertThat(received.progressToken()).isEqualTo(ProgressToken.of(3));
        assertThat(received.params().arguments()).isEqualTo(JsonValue.parse("{\"task\":2}"));
        assertThat(received.params().otherMembers()).isEqualTo(JsonValue.parse("{\"later\":1}"));
        for (String wrong : List.of("{\"task\":7}", "{\"task\":{}}", "{}")) {
            assertThatThrownBy(
                            () -> NEWEST.readPlainParams(Methods.CALL_TOOL, RawJson.parse(wrong)))
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessage("Invalid params: name is missing");
        }
    }

    @Test
    void everyRequestThatMayBecomeATaskCanBeReadAsAPlainOne() {
        plain(
                Methods.CREATE_MESSAGE,
                "{\"maxTokens\":1,\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"a\"}}],\"task\":%s}");
        plain(
                Methods.ELICIT,
                "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}},\"task\":%s}");
        plain(
                Methods.ELICIT,
                "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://a.example\",\"elicitationId\":\"e\",\"task\":%s}");
    }

    private static <P extends RequestParams> void plain(Method<P, ?> method, String params) {
        for (String task : List.of("{\"ttl\":5}", "false")) {
            P read = NEWEST.readPlainParams(method, RawJson.parse(params.formatted(task))).params();
            assertThat(read)
                    .isInstanceOfSatisfying(
                            TaskAugmentedRequest.class,
                            request -> assertThat(request.task()).isNull());
        }
    }

    // ---- the answer

    @Test
    @Requirement("ROOM-027")
    void aRequestThatBecameATaskIsAnsweredByIt() {
        for (Method<?, ?> method :
                List.of(Methods.CALL_TOOL, Methods.CREATE_MESSAGE, Methods.ELICIT)) {
            assertThat(NEWEST.writeOutcome(method, new Outcome.TaskCreated<>(CREATED)).toJson())
                    .isEqualTo(CREATED_JSON);
            assertThat(NEWEST.readOutcome(method, RawJson.parse(CREATED_JSON)))
                    .isEqualTo(new Outcome.TaskCreated<>(CREATED));
        }
    }

    @Test
    void anOrdinaryResultIsTakenAsSuch() {
        Outcome<CallToolResult> plain = Outcome.complete(CallToolResult.text("done"));
        RawJson written = NEWEST.writeOutcome(Methods.CALL_TOOL, plain);
        assertThat(NEWEST.readOutcome(Methods.CALL_TOOL, written)).isEqualTo(plain);
    }

    @Test
    void anAnswerThatIsNeitherSaysWhatIsWrong() {
        assertThatThrownBy(
                        () ->
                                NEWEST.readOutcome(
                                        Methods.CALL_TOOL,
                                        RawJson.parse("{\"task\":{\"taskId\":\"t\"}}")))
                .isInstanceOf(InvalidResultException.class)
                .hasMessage(
                        "The result of tools/call is invalid: task.status is missing (and 2 more)");
        assertThatThrownBy(
                        () ->
                                NEWEST.readOutcome(
                                        Methods.CALL_TOOL, RawJson.parse("{\"task\":true}")))
                .isInstanceOf(InvalidResultException.class)
                .hasMessage("The result of tools/call is invalid: content is missing");
    }

    // ---- older revisions

    @ParameterizedTest
    @EnumSource(
            value = Revision.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"V2025_11_25", "V2026_07_28"})
    @Requirement("VERS-005")
    void anOlderRevisionHasNoTasks(Revision revision) {
        WireFace face = HandshakeFace.of(revision);
        for (Side side : List.of(Side.CLIENT, Side.SERVER)) {
            for (String name : List.of("tasks/get", "tasks/result", "tasks/list", "tasks/cancel")) {
                assertThat(NEWEST.method(name, side)).isPresent();
                assertThat(face.method(name, side)).isEmpty();
            }
            assertThat(NEWEST.notification("notifications/tasks/status", side))
                    .contains(Notifications.TASK_STATUS);
            assertThat(face.notification("notifications/tasks/status", side)).isEmpty();
        }
        assertThat(face.readParams(Methods.CALL_TOOL, callWith("{\"ttl\":0}")).params().task())
                .isNull();
        assertThatThrownBy(
                        () ->
                                face.writeOutcome(
                                        Methods.CALL_TOOL, new Outcome.TaskCreated<>(CREATED)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("tools/call became a task, which revision " + revision + " cannot say");
        assertThatThrownBy(() -> face.readOutcome(Methods.CALL_TOOL, RawJson.parse(CREATED_JSON)))
                .isInstanceOf(InvalidResultException.class);
    }
}
