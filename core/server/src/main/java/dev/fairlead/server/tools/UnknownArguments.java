package dev.fairlead.server.tools;

import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Arguments of a call that the schema of its tool does not name. They are refused, so that a model
 * notices mistyped names, but for a few that a widely used host adds to all calls behind its model.
 * Ignored arguments reach no handler, so a caller gains nothing by them.
 */
final class UnknownArguments {
    /** The arguments of the workflow host n8n. */
    private static final List<String> OF_HOSTS =
            List.of("toolCallId", "sessionId", "action", "chatInput");

    private UnknownArguments() {}

    /** Returns those that each call may have beside the members of a schema. */
    static List<String> ofHosts(JsonObject schema) {
        JsonObject known = properties(schema);
        return OF_HOSTS.stream().filter(name -> !known.has(name)).toList();
    }

    private static JsonObject properties(JsonObject schema) {
        return schema.get("properties") instanceof JsonObject properties
                ? properties
                : JsonObject.EMPTY;
    }

    /**
     * Leaves out arguments that a schema does not name and refuses.
     *
     * @param ignored the names to leave out; null: all
     */
    static JsonObject leftOut(
            JsonObject arguments, JsonObject schema, @Nullable List<String> ignored) {
        if (!JsonBoolean.FALSE.equals(schema.get("additionalProperties"))
                || schema.has("patternProperties")) {
            return arguments;
        }
        JsonObject known = properties(schema);
        Map<String, JsonValue> left = new LinkedHashMap<>(arguments.members());
        left.keySet()
                .removeIf(name -> !known.has(name) && (ignored == null || ignored.contains(name)));
        return left.size() == arguments.members().size() ? arguments : new JsonObject(left);
    }
}
