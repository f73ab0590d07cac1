package dev.fairlead.protocol.face;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.time.Instant;
import java.util.List;

/** A completed task has the same bytes on the short way as by its records. */
class CompletedTaskTest {
    private static final PerRequestFace FACE =
            PerRequestFace.of(Revision.V2026_07_28).of(new Implementation("tasks", "1"));
    private static final Instant NOON = Instant.parse("2026-07-28T12:00:00Z");
    private static final JsonObject META = JsonObject.of("example/key", "value");

    static final List<CallToolResult> RESULTS =
            List.of(
                    CallToolResult.of(),
                    CallToolResult.failure("\"no\"\n\ud83d\ude00 \ud800"),
                    CallToolResult.of(Content.text("one").withMeta(META), Content.text("two")),
                    CallToolResult.structured(JsonObject.of("n", 1.50)),
                    CallToolResult.structured(JsonValue.of("no object")),
                    CallToolResult.text("meta").withMeta(META),
                    JsonCodec.of(CallToolResult.class)
                            .read(RawJson.parse("{\"content\": [], \"more\": {\"x\": 1e2}}")));

    private static final DetailedTask PLAIN =
            DetailedTask.of(
                            new Task(
                                    new TaskId("t-1"),
                                    TaskStatus.COMPLETED,
                                    NOON,
                                    NOON.plusNanos(987_654_321)))
                    .withResult(RawJson.parse("{\"content\":[]}"));

    static final List<DetailedTask> TASKS =
            List.of(
                    PLAIN,
                    DetailedTask.of(
                                    PLAIN.task()
                                            .withStatusMessage("\"done\"")
                                            .withTtl(60_000L)
                                            .withPollInterval(1_000L))
                            .withResult(PLAIN.result()),
                    PLAIN.withError(new JsonRpcError(1, "no")),
                    DetailedTask.of(PLAIN.task().withStatus(TaskStatus.WORKING)),
                    DetailedTask.of(PLAIN.task().withStatus(TaskStatus.WORKING))
                            .withResult(PLAIN.result()));

    @ParameterizedTest
    @FieldSource("TASKS")
    void aTaskIsWrittenAsByItsCodec(DetailedTask task) {
        assertThat(FACE.writeResult(Methods.GET_DETAILED_TASK, task).toJson())
                .isEqualTo(byCodec(DetailedTask.class, task));
    }

    @ParameterizedTest
    @FieldSource("TASKS")
    void aTaskWithMetaOfItsOwnKeepsThat(DetailedTask task) {
        RawJson written = FACE.writeResult(Methods.GET_DETAILED_TASK, task.withMeta(META));
        assertThat(((JsonObject) written.value()).object("_meta").members())
                .containsKeys("example/key", "io.modelcontextprotocol/serverInfo");
    }

    @ParameterizedTest
    @FieldSource("RESULTS")
    void aStoredResultIsWrittenAsItsRecordIs(CallToolResult result) {
        RawJson stored = NeutralForm.writeResult(Methods.CALL_TOOL, result);
        assertThat(NeutralForm.resultTo(FACE, "tools/call", stored))
                .isEqualTo(FACE.writeResult(Methods.CALL_TOOL, result));
    }

    @Test
    @Requirement("N26-BASE-006")
    void aResultTypeOfTheHandlerGivesWayToThatOfTheRevision() {
        RawJson own = RawJson.parse("{\"content\": [], \"resultType\": \"own\", \"more\": 1}");
        CallToolResult result = JsonCodec.of(CallToolResult.class).read(own);
        String once = FACE.beginResult(0).endObject().finish().toJson();
        String expected = once.substring(0, once.length() - 1) + ",\"content\":[],\"more\":1}";
        assertThat(FACE.writeResult(Methods.CALL_TOOL, result).toJson()).isEqualTo(expected);
        RawJson stored = NeutralForm.writeResult(Methods.CALL_TOOL, result);
        assertThat(NeutralForm.resultTo(FACE, "tools/call", stored).toJson()).isEqualTo(expected);
    }

    private static <R extends Result> String byCodec(Class<R> type, R result) {
        JsonWriter writer = FACE.beginResult(0);
        JsonCodec.of(type).writeMembers(result, writer);
        return writer.endObject().finish().toJson();
    }
}
