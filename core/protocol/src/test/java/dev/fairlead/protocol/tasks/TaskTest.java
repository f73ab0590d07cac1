package dev.fairlead.protocol.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.Arrays;

class TaskTest {
    private static final Instant NOON = Instant.parse("2025-11-25T12:00:00Z");
    private static final Task TASK =
            new Task(new TaskId("t-1"), TaskStatus.WORKING, NOON, NOON.plusMillis(250));
    private static final JsonCodec<Task> CODEC = JsonCodec.of(Task.class);

    @Test
    @Requirement({"TASK-028", "TASK-029", "TASK-031", "ROOM-022"})
    void aTaskKeptForEverSaysSoAndTheTimeInUtc() {
        assertThat(CODEC.write(TASK).toJson())
                .isEqualTo(
                        """
                        {"taskId":"t-1","status":"working","createdAt":"2025-11-25T12:00:00Z",\
                        "lastUpdatedAt":"2025-11-25T12:00:00.250Z","ttl":null}\
                        """);
    }

    @ParameterizedTest
    @CsvSource({
        "2025-11-25T13:30:00+01:30, 2025-11-25T12:00:00Z",
        "2025-11-25T12:00:00.1Z, 2025-11-25T12:00:00.100Z",
        "2025-11-25T11:00:00.123456-01:00, 2025-11-25T12:00:00.123456Z",
        "2025-11-25t12:00:00z, 2025-11-25T12:00:00Z",
    })
    @Requirement({"TASK-029", "ROOM-022"})
    void aTimeIsReadWithAnyOffsetAndFraction(String text, Instant time) {
        String json =
                """
                {"taskId":"t","status":"working","createdAt":"%s","lastUpdatedAt":"%s"}
                """;
        Task task = CODEC.read(RawJson.parse(json.formatted(text, text)));
        assertThat(task.createdAt()).isEqualTo(time);
        assertThat(task.lastUpdatedAt()).isEqualTo(time);
        assertThat(task.ttl()).isNull();
    }

    @Test
    @Requirement({"TASK-028", "TASK-034"})
    void aTaskWithoutWhatItMustHaveIsNone() {
        assertThatThrownBy(() -> CODEC.read(RawJson.parse("{\"taskId\":1}")))
                .isInstanceOf(JsonBindingException.class)
                .hasMessageContaining("taskId must be a string but was a number")
                .hasMessageContaining("status is missing")
                .hasMessageContaining("createdAt is missing")
                .hasMessageContaining("lastUpdatedAt is missing");
    }

    /** A task runs until its status says that it has ended. */
    @Test
    void anUnknownStatusIsNoEnd() {
        Task task =
                CODEC.read(
                        RawJson.parse(
                                """
                                {"taskId":"t","status":"paused","createdAt":"2026-01-01T00:00:00Z",
                                 "lastUpdatedAt":"2026-01-01T00:00:00Z"}
                                """));
        assertThat(task.status()).isEqualTo(TaskStatus.WORKING);
        assertThat(task.otherMembers()).isEqualTo(JsonObject.of("status", "paused"));
    }

    @Test
    @Requirement("TASK-034")
    void threeStatusesAreTerminal() {
        assertThat(Arrays.stream(TaskStatus.values()).filter(TaskStatus::isTerminal))
                .containsExactly(TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.CANCELLED);
    }

    @Test
    void aCopyDiffersInOneMember() {
        Task changed =
                TASK.withStatus(TaskStatus.FAILED)
                        .withStatusMessage("no disk")
                        .withLastUpdatedAt(NOON.plusSeconds(1))
                        .withTtl(1L)
                        .withPollInterval(2L)
                        .withMeta(JsonObject.of("a.b/c", 1));
        assertThat(CODEC.toValue(changed))
                .isEqualTo(
                        JsonValue.parse(
                                """
                                {"taskId":"t-1","status":"failed","statusMessage":"no disk","createdAt":"2025-11-25T12:00:00Z",
                                 "lastUpdatedAt":"2025-11-25T12:00:01Z","ttl":1,"pollInterval":2,"_meta":{"a.b/c":1}}
                                """));
    }

    @Test
    @Requirement("TASK-024")
    void anImmediateResponseForTheModelIsReturned() {
        CreateTaskResult created =
                new CreateTaskResult(TASK.withMeta(JsonObject.of("a.b/c", 1)))
                        .withImmediateResponse("It will take an hour");
        assertThat(created.immediateResponse()).contains("It will take an hour");
        assertThat(JsonCodec.of(CreateTaskResult.class).toValue(created))
                .isEqualTo(
                        JsonObject.of(
                                "task",
                                CODEC.toValue(TASK),
                                "_meta",
                                JsonObject.of(
                                        "io.modelcontextprotocol/model-immediate-response",
                                        "It will take an hour")));
        assertThat(created.withImmediateResponse(null)).isEqualTo(new CreateTaskResult(TASK));
        assertThat(
                        created.withMeta(JsonObject.of(MetaKey.MODEL_IMMEDIATE_RESPONSE, 5))
                                .immediateResponse())
                .isEmpty();
    }

    @Test
    void theTaskOfAMessageStandsAmongItsMeta() {
        TaskId id = new TaskId("t-1");
        JsonObject meta = RelatedTask.add(JsonObject.of("a.b/c", 1), id);
        assertThat(meta)
                .isEqualTo(
                        JsonValue.parse(
                                """
                                {"a.b/c":1,"io.modelcontextprotocol/related-task":{"taskId":"t-1"}}
                                """));
        assertThat(RelatedTask.of(meta)).contains(id);
        assertThat(RelatedTask.of(RelatedTask.add(meta, new TaskId("t-2"))))
                .contains(new TaskId("t-2"));
        assertThat(RelatedTask.add(null, id).names())
                .containsExactly("io.modelcontextprotocol/related-task");
        assertThat(RelatedTask.of(null)).isEmpty();
        assertThat(RelatedTask.of(JsonObject.of(MetaKey.RELATED_TASK, "t-1"))).isEmpty();
        assertThat(RelatedTask.of(JsonObject.of(MetaKey.RELATED_TASK, JsonObject.of("taskId", 1))))
                .isEmpty();
    }

    @Test
    @Requirement("TASK-046")
    void theOutcomeOfATaskIsKeptAsItCame() {
        JsonObject result =
                (JsonObject)
                        JsonValue.parse(
                                """
                                {"content":[],"structuredContent":{"a":1.50,"b":null},"_meta":{"x":null},"later":[1e3]}
                                """);
        GetTaskPayloadResult payload = GetTaskPayloadResult.of(RawJson.of(result));
        assertThat(payload.toObject()).isEqualTo(result);
        assertThat(payload.toRawJson().value()).isEqualTo(result);
        assertThat(payload.withMeta(null).toObject()).isEqualTo(result.without("_meta"));
        assertThatThrownBy(() -> GetTaskPayloadResult.of(RawJson.parse("[1]")))
                .isInstanceOf(JsonBindingException.class);
    }

    @Test
    @Requirement({"TASK-004", "ROOM-015"})
    void onlyWhatIsDeclaredIsTaken() {
        TasksCapability tasks =
                JsonCodec.of(TasksCapability.class)
                        .read(
                                RawJson.parse(
                                        """
                                        {"requests":{"tools":{"call":true},"sampling":{"createMessage":false},"elicitation":{"create":null}}}
                                        """));
        assertThat(tasks.takes("tools/call")).isTrue();
        assertThat(tasks.takes("sampling/createMessage")).isFalse();
        assertThat(tasks.takes("elicitation/create")).isFalse();
        assertThat(tasks.takesAny()).isTrue();
        assertThat(tasks.lists()).isFalse();
        assertThat(tasks.cancels()).isFalse();
        assertThat(new TasksCapability().listing().takesAny()).isFalse();
        assertThat(
                        new TasksCapability(
                                        null,
                                        null,
                                        JsonObject.of("tools", JsonObject.EMPTY),
                                        JsonObject.EMPTY)
                                .takesAny())
                .isFalse();
    }

    @Test
    @Requirement({"TASK-002", "TASK-003", "ROOM-015"})
    void whatIsDeclaredAreEmptyObjects() {
        TasksCapability both =
                new TasksCapability()
                        .taking("sampling/createMessage")
                        .taking("elicitation/create")
                        .listing()
                        .cancelling();
        assertThat(JsonCodec.of(TasksCapability.class).toValue(both))
                .isEqualTo(
                        JsonValue.parse(
                                """
                                {"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}
                                """));
    }
}
