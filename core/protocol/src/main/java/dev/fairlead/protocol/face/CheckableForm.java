package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonSchemaException;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.engine.Omissions;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of an elicitation form by which its answers can be checked: the whole, or the fields
 * that can be used by themselves.
 */
public final class CheckableForm {
    /** The most schemas that are tried: those of 100 fields, even if no two can be used. */
    private static final int MAX_TRIES = 200;

    private final Map<String, JsonValue> usable = new LinkedHashMap<>();
    private int tries;

    private CheckableForm() {}

    /**
     * Returns the schema of that part, which is compiled if it is the whole.
     *
     * @param log receives the reason why it is not the whole
     */
    public static JsonSchema of(JsonObject form, Omissions log) {
        JsonSchema whole = JsonSchema.of(form);
        String problem = problem(whole);
        if (problem == null) {
            return whole;
        }
        log.warnOnce("a form is not checked in all fields", problem);
        CheckableForm part = new CheckableForm();
        if (form.get("properties") instanceof JsonObject fields) {
            part.add(List.copyOf(fields.members().entrySet()));
        }
        List<JsonValue> required =
                form.get("required") instanceof JsonArray names
                        ? names.elements().stream().distinct().toList()
                        : List.of();
        return JsonSchema.of(
                JsonObject.of("properties", new JsonObject(part.usable), "required", required));
    }

    /** Adds the fields that can be used: all of them at once, or those of each half. */
    private void add(List<Map.Entry<String, JsonValue>> fields) {
        if (fields.isEmpty() || ++tries > MAX_TRIES) {
            return;
        }
        Map<String, JsonValue> tried = new LinkedHashMap<>();
        fields.forEach(field -> tried.put(field.getKey(), field.getValue()));
        if (problem(JsonSchema.of(JsonObject.of("properties", new JsonObject(tried)))) == null) {
            usable.putAll(tried);
        } else if (fields.size() > 1) {
            int half = fields.size() / 2;
            add(fields.subList(0, half));
            add(fields.subList(half, fields.size()));
        }
    }

    private static @Nullable String problem(JsonSchema schema) {
        try {
            schema.check();
            return null;
        } catch (JsonSchemaException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
