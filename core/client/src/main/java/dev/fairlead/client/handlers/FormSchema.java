package dev.fairlead.client.handlers;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonSchemaException;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.face.CheckableForm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The schema of a form, known to be flat. A field whose schema cannot be used takes any value,
 * since the server judges the answer in any case.
 */
public final class FormSchema {
    private final JsonSchema schema;
    private final JsonObject properties;
    private final Omissions log;

    private FormSchema(JsonSchema schema, JsonObject properties, Omissions log) {
        this.schema = schema;
        this.properties = properties;
        this.log = log;
    }

    /** The schema that a server asks with. */
    public static FormSchema of(JsonObject json) {
        return of(json, Omissions.SHARED);
    }

    /** The schema that a server asks with; its faults are logged there. */
    static FormSchema of(JsonObject json, Omissions log) {
        JsonObject properties =
                json.get("properties") instanceof JsonObject object ? object : JsonObject.EMPTY;
        return new FormSchema(CheckableForm.of(json, log), properties, log);
    }

    /** The values, with the default of each field that they leave out. */
    public JsonObject withDefaults(JsonObject content) {
        Map<String, JsonValue> filled = new LinkedHashMap<>(content.members());
        for (Map.Entry<String, JsonValue> property : properties.members().entrySet()) {
            if (property.getValue() instanceof JsonObject field
                    && field.get("default") instanceof JsonValue value) {
                filled.putIfAbsent(property.getKey(), value);
            }
        }
        return new JsonObject(filled);
    }

    /**
     * Returns the violations of the values. Values that the form does not ask for have no place in
     * the answer. Values that cannot be checked are none, for the same reason as fields.
     */
    public List<JsonViolation> validate(JsonObject content) {
        List<JsonViolation> violations = new ArrayList<>();
        try {
            violations.addAll(schema.validateWithinLimits(content));
        } catch (JsonSchemaException e) { // also of a dynamic reference to nothing
            log.warnOnce("an answer to its form is not checked", String.valueOf(e.getMessage()));
        }
        for (String name : content.names()) {
            if (!properties.has(name)) {
                violations.add(new JsonViolation(name, "is no field of the form"));
            }
        }
        return violations;
    }
}
