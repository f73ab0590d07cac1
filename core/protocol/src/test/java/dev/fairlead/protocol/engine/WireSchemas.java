package dev.fairlead.protocol.engine;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonSchemaException;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Revision;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The schemas of the specification: {@code schema-<revision>.json} in one folder. */
final class WireSchemas {
    private final Path folder;
    private final Map<String, Schema> schemas =
            new ConcurrentHashMap<>(); // by the name of the file

    /** One revision: its definitions, and which of them belong to which method. */
    private static final class Schema {
        private final JsonObject document;
        private final String section;
        private final JsonObject definitions;
        private final Map<String, String> byMethod = new HashMap<>();
        private final Map<Long, String> byCode = new HashMap<>(); // of errors
        private final Map<String, JsonSchema> compiled = new ConcurrentHashMap<>();

        Schema(JsonObject source) {
            this.section = source.has("$defs") ? "$defs" : "definitions";
            this.definitions = withNumbers(source.object(section));
            this.document = source.with(section, definitions);
            definitions
                    .members()
                    .forEach(
                            (name, definition) -> {
                                String method = methodOf(definition);
                                if (method != null) {
                                    byMethod.put(method, name);
                                }
                                Long code = codeOf(definition);
                                if (code != null) {
                                    byCode.put(code, name);
                                }
                            });
        }

        /** These say integer where the protocol says number, an artefact of their generator. */
        private static JsonObject withNumbers(JsonObject definitions) {
            JsonObject corrected = definitions;
            for (String name : List.of("ElicitResult", "NumberSchema")) {
                JsonValue definition = definitions.get(name);
                if (definition != null) {
                    String text =
                            definition
                                    .toJson()
                                    .replace("\"type\":\"integer\"", "\"type\":\"number\"")
                                    .replace("[\"string\",\"integer\"", "[\"string\",\"number\"");
                    corrected = corrected.with(name, JsonValue.parse(text));
                }
            }
            return corrected;
        }

        private static @Nullable String methodOf(JsonValue definition) {
            return at(definition, "properties", "method", "const") instanceof JsonString text
                    ? text.value()
                    : null;
        }

        private static @Nullable Long codeOf(JsonValue definition) {
            if (at(definition, "properties", "error", "allOf") instanceof JsonArray parts) {
                for (JsonValue part : parts.elements()) {
                    if (at(part, "properties", "code", "const") instanceof JsonNumber code) {
                        return code.longValue();
                    }
                }
            }
            return null;
        }

        private static @Nullable JsonValue at(JsonValue from, String... steps) {
            JsonValue current = from;
            for (String step : steps) {
                if (!(current instanceof JsonObject object) || !object.has(step)) {
                    return null;
                }
                current = object.get(step);
            }
            return current;
        }

        List<JsonViolation> violations(String definition, JsonValue value) {
            JsonSchema schema = compiled.computeIfAbsent(definition, this::compile);
            try {
                return schema.validateWithinLimits(value);
            } catch (JsonSchemaException e) {
                schema.check(); // else the value cannot be checked, and is none the worse for it
                return List.of();
            }
        }

        private JsonSchema compile(String definition) {
            JsonObject reference = JsonObject.of("$ref", prefix() + definition);
            return JsonSchema.of(
                    document.with(section, reachable(definition))
                            .with("allOf", JsonArray.of(reference)));
        }

        private String prefix() {
            return "#/" + section + "/";
        }

        /**
         * Returns a definition and all that it uses: each schema takes a compilation of its own.
         */
        private JsonObject reachable(String definition) {
            Map<String, JsonValue> reached = new LinkedHashMap<>();
            Deque<String> next = new ArrayDeque<>(List.of(definition));
            while (!next.isEmpty()) {
                String name = next.pop();
                JsonValue used = definitions.get(name);
                if (used != null && reached.putIfAbsent(name, used) == null) {
                    references(used, next);
                }
            }
            return new JsonObject(reached);
        }

        private void references(JsonValue within, Deque<String> names) {
            switch (within) {
                case JsonObject object -> {
                    if (object.get("$ref") instanceof JsonString reference) {
                        names.push(reference.value().substring(prefix().length()));
                    }
                    object.members().values().forEach(member -> references(member, names));
                }
                case JsonArray array ->
                        array.elements().forEach(element -> references(element, names));
                default -> {}
            }
        }
    }

    private WireSchemas(Path folder) {
        this.folder = folder;
    }

    private Schema read(String name) {
        Path file = folder.resolve("schema-" + name + ".json");
        try {
            return new Schema((JsonObject) JsonValue.parse(Files.readString(file)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the wire schema " + file, e);
        }
    }

    static WireSchemas in(Path folder) {
        return new WireSchemas(folder);
    }

    /** The schema of a method: since revision 2026-07-28 tasks are an extension. */
    private Schema schema(Revision revision, String method) {
        boolean extension =
                revision.era() == Era.PER_REQUEST
                        && (method.startsWith("tasks/") || method.equals("notifications/tasks"));
        return extension ? taskExtension() : schema(revision);
    }

    private Schema schema(Revision revision) {
        return schemas.computeIfAbsent(revision.date(), this::read);
    }

    private Schema taskExtension() {
        return schemas.computeIfAbsent("ext-tasks", this::read);
    }

    /** Returns the violations of a message of any kind. */
    List<JsonViolation> message(Revision revision, JsonValue message) {
        return schema(revision).violations("JSONRPCMessage", message);
    }

    /** Returns the violations of a request or notification; none if the method is not defined. */
    List<JsonViolation> call(Revision revision, String method, JsonValue message) {
        Schema schema = schema(revision, method);
        String definition = schema.byMethod.get(method);
        return definition == null ? List.of() : schema.violations(definition, message);
    }

    /** Returns the violations of the result of a request; none if the method is not defined. */
    List<JsonViolation> result(Revision revision, String method, JsonValue result) {
        if (revision.era() == Era.PER_REQUEST && result instanceof JsonObject object) {
            JsonValue type = object.get("resultType");
            if (new JsonString("input_required").equals(type)) {
                return schema(revision).violations("InputRequiredResult", result);
            }
            if (new JsonString("task").equals(type)) {
                return taskExtension().violations("CreateTaskResult", result);
            }
        }
        Schema schema = schema(revision, method);
        String definition = schema.byMethod.get(method);
        if (definition == null || !definition.endsWith("Request")) {
            return List.of();
        }
        String name = definition.substring(0, definition.length() - 7) + "Result";
        return schema.violations(schema.definitions.has(name) ? name : "EmptyResult", result);
    }

    /**
     * Returns the violations of an error response; only those of its form if its code is not
     * defined.
     */
    List<JsonViolation> error(Revision revision, int code, JsonValue message) {
        List<JsonViolation> wrong = message(revision, message);
        Schema schema = schema(revision);
        String definition = schema.byCode.get((long) code);
        return wrong.isEmpty() && definition != null
                ? schema.violations(definition, message)
                : wrong;
    }

    /** Returns the violations of the answer that a request became a task. */
    List<JsonViolation> createdTask(Revision revision, JsonValue result) {
        return schema(revision).violations("CreateTaskResult", result);
    }
}
