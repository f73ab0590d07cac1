package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Elicitation in revision 2025-06-18: forms only, titles of choices in {@code enumNames}, no choice
 * of several, defaults only of booleans.
 */
final class ElicitationDowngrade {
    private final Revision revision;

    ElicitationDowngrade(Revision revision) {
        this.revision = revision;
    }

    ElicitRequest of(ElicitRequest request) {
        return switch (request) {
            case ElicitFormRequest form ->
                    new ElicitFormRequest(
                            form.message(),
                            reduced(form.requestedSchema()),
                            null,
                            form.meta(),
                            form.otherMembers());
            case ElicitUrlRequest url ->
                    throw new CapabilityException(
                            "elicitation.url",
                            "revision " + revision + " has no elicitation by URL");
        };
    }

    private JsonObject reduced(JsonObject schema) {
        Map<String, JsonValue> properties = new LinkedHashMap<>();
        if (schema.get("properties") instanceof JsonObject known) {
            known.members()
                    .forEach(
                            (name, property) ->
                                    properties.put(
                                            name,
                                            property instanceof JsonObject field
                                                    ? field(name, field)
                                                    : property));
        }
        return schema.without("$schema").with("properties", new JsonObject(properties));
    }

    private JsonObject field(String name, JsonObject field) {
        String type = field.get("type") instanceof JsonString text ? text.value() : "";
        return switch (type) {
            case "boolean" -> field;
            case "array" ->
                    throw new CapabilityException(
                            "elicitation",
                            "revision "
                                    + revision
                                    + " has no choice of several values, but the field "
                                    + name
                                    + " is one");
            default -> choices(field).without("default");
        };
    }

    /** Returns titled choices as {@code enum} and {@code enumNames}. */
    private static JsonObject choices(JsonObject field) {
        if (!(field.get("oneOf") instanceof JsonArray titled)) {
            return field;
        }
        List<JsonValue> values = new ArrayList<>();
        List<JsonValue> names = new ArrayList<>();
        for (JsonValue choice : titled) {
            JsonObject option = (JsonObject) choice; // guaranteed by the check of the schema
            values.add(JsonValue.of(option.string("const")));
            names.add(JsonValue.of(option.string("title")));
        }
        return field.without("oneOf")
                .with("enum", new JsonArray(values))
                .with("enumNames", new JsonArray(names));
    }

    /** Returns the answer, which has single values only since the form has no others. */
    ElicitResult of(ElicitResult result) {
        JsonObject content = result.content();
        if (content != null
                && content.members().values().stream().anyMatch(JsonArray.class::isInstance)) {
            throw new IllegalStateException(
                    "the answer has a list of values, which revision " + revision + " cannot say");
        }
        return result;
    }
}
