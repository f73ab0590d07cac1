package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The rules for the schema of an elicitation form: an object of fields, each a text, number,
 * boolean or choice, none nested.
 */
public final class ElicitationSchema {
    private static final Set<String> FORMATS = Set.of("email", "uri", "date", "date-time");
    private static final Set<String> TYPES =
            Set.of("string", "number", "integer", "boolean", "array");

    private static final String MUST_HAVE_TYPE =
            "must have the type string, number, integer, boolean or array";

    private ElicitationSchema() {}

    /**
     * Validates a custom schema: flat, with keywords of the specification only.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message names the field
     */
    public static void check(JsonObject schema) {
        checkFlat(schema);
        schema.object("properties")
                .members()
                .forEach((name, property) -> checkKeywords(name, (JsonObject) property));
    }

    /**
     * Checks a schema that was received: it must be flat, but may have types, formats and keywords
     * that are unknown here. A field of an unknown type takes any text.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message names the field
     */
    public static void checkFlat(JsonObject schema) {
        if (!"object".equals(text(schema.get("type")))) {
            throw new IllegalArgumentException("requestedSchema.type must be object");
        }
        JsonValue fields = schema.get("properties");
        JsonObject properties;
        if (fields instanceof JsonObject object) {
            properties = object;
        } else if (fields instanceof JsonArray array && array.elements().isEmpty()) {
            properties = JsonObject.EMPTY; // from serializers that do not distinguish them
        } else {
            throw new IllegalArgumentException("requestedSchema.properties must be an object");
        }
        properties.members().forEach(ElicitationSchema::checkField);
        if (schema.get("required") instanceof JsonArray required) {
            for (JsonValue name : required) {
                if (!(name instanceof JsonString field) || !properties.has(field.value())) {
                    throw new IllegalArgumentException(
                            "requestedSchema.required names " + name + ", which is no field");
                }
            }
        } else if (schema.has("required")) {
            throw new IllegalArgumentException("requestedSchema.required must be an array");
        }
    }

    /**
     * Returns a form without the members that are null, which some serializers write for absent
     * ones: of the form, its fields and their items. A default is no exception, since no value of
     * an answer is null. Null inside of unions and enumerations is a value.
     */
    static JsonObject withoutNulls(JsonObject schema) {
        JsonObject form = present(schema);
        if (!(form.get("properties") instanceof JsonObject properties)) {
            return form;
        }
        Map<String, JsonValue> fields = new LinkedHashMap<>(properties.members());
        fields.replaceAll(
                (name, field) -> field instanceof JsonObject object ? presentIn(object) : field);
        return fields.equals(properties.members())
                ? form
                : form.with("properties", new JsonObject(fields));
    }

    private static JsonObject presentIn(JsonObject field) {
        JsonObject present = present(field);
        return present.get("items") instanceof JsonObject items
                ? present.with("items", present(items))
                : present;
    }

    private static JsonObject present(JsonObject schema) {
        return schema.without(
                schema.names().stream()
                        .filter(name -> schema.get(name) instanceof JsonNull)
                        .toArray(String[]::new));
    }

    private static void checkField(String name, JsonValue property) {
        if (!(property instanceof JsonObject field)) {
            throw broken(name, "must be an object");
        }
        String type = text(field.get("type"));
        if ("object".equals(type)) {
            throw broken(name, MUST_HAVE_TYPE);
        }
        if ("array".equals(type)) {
            checkSeveral(name, field);
        } else {
            checkChoice(name, field, "oneOf");
        }
    }

    private static void checkSeveral(String name, JsonObject field) {
        if (!(field.get("items") instanceof JsonObject items)
                || !(items.has("enum") || items.has("anyOf"))) {
            throw broken(name, "must have items with the choices, as enum or anyOf");
        }
        checkChoice(name, items, "anyOf");
    }

    private static void checkChoice(String name, JsonObject field, String titled) {
        JsonValue values = field.get("enum");
        if (values != null && !isTexts(values)) {
            throw broken(name, "must have texts for choices");
        }
        JsonValue options = field.get(titled);
        if (options != null && !isOptions(options)) {
            throw broken(name, "must have choices with const and title");
        }
        if (field.has("properties") || field.has("$ref") || field.has("allOf")) {
            throw broken(name, "must not be nested");
        }
    }

    private static boolean isTexts(JsonValue values) {
        return values instanceof JsonArray array
                && array.elements().stream().allMatch(JsonString.class::isInstance);
    }

    private static boolean isOptions(JsonValue options) {
        return options instanceof JsonArray array
                && array.elements().stream()
                        .allMatch(
                                option ->
                                        option instanceof JsonObject object
                                                && object.get("const") instanceof JsonString
                                                && object.get("title") instanceof JsonString);
    }

    private static void checkKeywords(String name, JsonObject field) {
        String type = text(field.get("type"));
        if (type == null || !TYPES.contains(type)) {
            throw broken(name, MUST_HAVE_TYPE);
        }
        JsonValue format = field.get("format");
        if (format != null && !FORMATS.contains(text(format) == null ? "" : text(format))) {
            throw broken(
                    name,
                    "must have the format email, uri, date or date-time, but it is " + format);
        }
        for (String keyword : new String[] {"minLength", "maxLength", "minItems", "maxItems"}) {
            JsonValue limit = field.get(keyword);
            if (limit != null
                    && !(limit instanceof JsonNumber number
                            && number.isLong()
                            && number.longValue() >= 0)) {
                throw broken(name, keyword + " must be a whole number");
            }
        }
        for (String keyword : new String[] {"minimum", "maximum"}) {
            if (field.has(keyword) && !(field.get(keyword) instanceof JsonNumber)) {
                throw broken(name, keyword + " must be a number");
            }
        }
    }

    private static @Nullable String text(@Nullable JsonValue value) {
        return value instanceof JsonString text ? text.value() : null;
    }

    private static IllegalArgumentException broken(String field, String message) {
        return new IllegalArgumentException("requestedSchema.properties." + field + " " + message);
    }
}
