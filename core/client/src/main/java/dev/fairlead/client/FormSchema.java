package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonSchemaException;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.jsonrpc.JsonRpcException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The schema of a form, known to be flat. */
final class FormSchema {
    private final JsonSchema schema;
    private final JsonObject properties;

    private FormSchema(JsonObject json) {
        this.schema = JsonSchema.of(json);
        this.properties =
                json.get("properties") instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    /**
     * The schema that a server asks with.
     *
     * @throws JsonRpcException {@code -32602} if it cannot be used, for example because of its
     *     dialect
     */
    static FormSchema of(JsonObject json) {
        FormSchema form = new FormSchema(json);
        try {
            form.schema.check();
        } catch (JsonSchemaException e) {
            throw JsonRpcException.invalidParams(
                    "requestedSchema cannot be used: " + e.getMessage());
        }
        return form;
    }

    /** The values, with the default of each field that they leave out. */
    JsonObject withDefaults(JsonObject content) {
        JsonObject filled = content;
        for (Map.Entry<String, JsonValue> property : properties.members().entrySet()) {
            if (!content.has(property.getKey())
                    && property.getValue() instanceof JsonObject field
                    && field.has("default")) {
                filled = filled.with(property.getKey(), field.get("default"));
            }
        }
        return filled;
    }

    /** What is wrong with the values. What the form does not ask for has no place in the answer. */
    List<JsonViolation> validate(JsonObject content) {
        List<JsonViolation> violations = new ArrayList<>(schema.validate(content));
        for (String name : content.names()) {
            if (!properties.has(name)) {
                violations.add(new JsonViolation(name, "is no field of the form"));
            }
        }
        return violations;
    }
}
