package dev.fairlead.protocol.face;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Validates the messages that each face writes against the schema of its revision. The schemas are
 * not part of this project: {@code -Dfairlead.wire.schemas=FOLDER} names a folder with {@code
 * schema-<revision>.json} for each.
 */
@EnabledIfSystemProperty(named = "fairlead.wire.schemas", matches = ".+")
class WireSchemaTest {
    private static final Map<String, String> TYPES =
            Map.ofEntries(
                    Map.entry("initialize", "Initialize"),
                    Map.entry("ping", "Ping"),
                    Map.entry("tools/list", "ListTools"),
                    Map.entry("tools/call", "CallTool"),
                    Map.entry("resources/list", "ListResources"),
                    Map.entry("resources/templates/list", "ListResourceTemplates"),
                    Map.entry("resources/read", "ReadResource"),
                    Map.entry("resources/subscribe", "Subscribe"),
                    Map.entry("resources/unsubscribe", "Unsubscribe"),
                    Map.entry("prompts/list", "ListPrompts"),
                    Map.entry("prompts/get", "GetPrompt"),
                    Map.entry("completion/complete", "Complete"),
                    Map.entry("logging/setLevel", "SetLevel"),
                    Map.entry("roots/list", "ListRoots"),
                    Map.entry("sampling/createMessage", "CreateMessage"),
                    Map.entry("elicitation/create", "Elicit"),
                    Map.entry("tasks/get", "GetTask"),
                    Map.entry("tasks/result", "GetTaskPayload"),
                    Map.entry("tasks/list", "ListTasks"),
                    Map.entry("tasks/cancel", "CancelTask"),
                    Map.entry("notifications/initialized", "Initialized"),
                    Map.entry("notifications/cancelled", "Cancelled"),
                    Map.entry("notifications/progress", "Progress"),
                    Map.entry("notifications/message", "LoggingMessage"),
                    Map.entry("notifications/resources/list_changed", "ResourceListChanged"),
                    Map.entry("notifications/resources/updated", "ResourceUpdated"),
                    Map.entry("notifications/tools/list_changed", "ToolListChanged"),
                    Map.entry("notifications/prompts/list_changed", "PromptListChanged"),
                    Map.entry("notifications/roots/list_changed", "RootsListChanged"),
                    Map.entry("notifications/elicitation/complete", "ElicitationComplete"),
                    Map.entry("notifications/tasks/status", "TaskStatus"));

    /** The schema file says integer where the specification says number (ROOM-070). */
    private static final String FRACTION = "filled in with a fraction";

    @ParameterizedTest
    @EnumSource(value = Revision.class, mode = EnumSource.Mode.EXCLUDE, names = "V2026_07_28")
    @Requirement("VERS-033")
    void everyMessageIsValidByTheSchemaOfItsRevision(Revision revision) throws IOException {
        WireFace face = HandshakeFace.of(revision);
        Schemas schemas = Schemas.of(revision);
        List<String> refused = new ArrayList<>();
        Golden.all()
                .filter(golden -> golden.isIn(face) && !golden.about().equals(FRACTION))
                .forEach(
                        golden ->
                                write(golden, face)
                                        .ifPresentOrElse(
                                                json -> schemas.check(golden, json),
                                                () -> refused.add(golden.about())));
        assertThat(refused).containsExactlyElementsOf(refusedBy(revision));
    }

    @Test
    @Requirement("VERS-033")
    void theAnswerThatARequestBecameATaskIsValid() throws IOException {
        Task task = new Task(new TaskId("t"), TaskStatus.WORKING, Instant.EPOCH, Instant.EPOCH);
        RawJson written =
                HandshakeFace.of(Revision.NEWEST_WITH_HANDSHAKE)
                        .writeOutcome(
                                Methods.CALL_TOOL,
                                new Outcome.TaskCreated<>(
                                        new CreateTaskResult(task).withImmediateResponse("Wait")));
        assertThat(
                        Schemas.of(Revision.NEWEST_WITH_HANDSHAKE)
                                .schema("CreateTaskResult")
                                .validate(written.value()))
                .isEmpty();
    }

    /** Returns the messages that cannot be expressed in an older revision. */
    private static List<String> refusedBy(Revision revision) {
        return switch (revision) {
            case V2024_11_05, V2025_03_26 ->
                    List.of("tools and their results", "an answer that uses tools");
            case V2025_06_18 ->
                    List.of(
                            "tools and their results",
                            "an answer that uses tools",
                            "a form of every field",
                            "a page",
                            "filled in");
            case V2025_11_25 -> List.of();
            case V2026_07_28 -> throw new AssertionError("no handshake");
        };
    }

    private static Optional<JsonObject> write(Golden golden, WireFace face) {
        try {
            return Optional.of(golden.through(face));
        } catch (CapabilityException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    /** The definitions of one revision. */
    private record Schemas(JsonObject root, String definitions, Map<String, JsonSchema> compiled) {
        static Schemas of(Revision revision) throws IOException {
            Path file =
                    Path.of(
                            System.getProperty("fairlead.wire.schemas"),
                            "schema-" + revision + ".json");
            JsonObject root = (JsonObject) JsonValue.parse(Files.readString(file));
            return new Schemas(root, root.has("$defs") ? "$defs" : "definitions", new HashMap<>());
        }

        void check(Golden golden, JsonObject json) {
            String type = TYPES.get(golden.name());
            JsonObject message =
                    switch (golden.kind()) {
                        case RESULT -> json;
                        case PARAMS ->
                                JsonObject.of(
                                        "jsonrpc",
                                        "2.0",
                                        "id",
                                        1,
                                        "method",
                                        golden.name(),
                                        "params",
                                        json);
                        case NOTIFICATION ->
                                JsonObject.of(
                                        "jsonrpc", "2.0", "method", golden.name(), "params", json);
                    };
            String definition =
                    switch (golden.kind()) {
                        case RESULT ->
                                root.object(definitions).has(type + "Result")
                                        ? type + "Result"
                                        : "EmptyResult";
                        case PARAMS -> type + "Request";
                        case NOTIFICATION -> type + "Notification";
                    };
            assertThatNoException().isThrownBy(() -> root.object(definitions).object(definition));
            assertThat(schema(definition).validate(message))
                    .as("%s as %s", golden, message)
                    .isEmpty();
        }

        private JsonSchema schema(String definition) {
            return compiled.computeIfAbsent(
                    definition,
                    name ->
                            JsonSchema.of(
                                    root.with(
                                            "allOf",
                                            List.of(
                                                    JsonObject.of(
                                                            "$ref",
                                                            "#/" + definitions + "/" + name)))));
        }
    }
}
