package dev.fairlead.server.requests;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.elicitation.InvalidAnswerException;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The form that a record makes: a flat schema with the few keywords that elicitation allows, and
 * the way back from its answer.
 *
 * @param <T> the record
 */
final class Form<T> {
    private static final Set<String> KEPT =
            Set.of(
                    "type",
                    "title",
                    "description",
                    "default",
                    "minLength",
                    "maxLength",
                    "pattern",
                    "minimum",
                    "maximum",
                    "minItems",
                    "maxItems",
                    "enum",
                    "oneOf");
    private static final Set<String> FORMATS = Set.of("email", "uri", "date", "date-time");

    /** The schemas of records without type arguments, since they are needed again and again. */
    private static final ClassValue<JsonObject> SCHEMAS =
            new ClassValue<>() {
                @Override
                protected JsonObject computeValue(Class<?> record) {
                    return flat(TypeRef.of(record));
                }
            };

    private final JsonCodec<T> codec;
    private final JsonObject schema;

    /**
     * @throws IllegalArgumentException if the type is not a flat record
     */
    Form(TypeRef<T> type) {
        this.codec = JsonCodec.of(type);
        this.schema = type.type() instanceof Class<?> record ? SCHEMAS.get(record) : flat(type);
    }

    JsonObject schema() {
        return schema;
    }

    /** Binds the content that a person accepted; fails if it does not fit. */
    T read(JsonObject content) {
        try {
            return codec.read(content);
        } catch (JsonBindingException e) {
            throw new InvalidAnswerException(content, e.violations());
        }
    }

    private static JsonObject flat(TypeRef<?> type) {
        JsonObject root = JsonSchema.of(type).json();
        if (!(root.get("properties") instanceof JsonObject properties)) {
            throw new IllegalArgumentException(
                    "a form needs a record with components but was " + type);
        }
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        properties
                .members()
                .forEach(
                        (name, property) ->
                                fields.put(name, field(type, name, (JsonObject) property)));
        JsonObject form = JsonObject.of("type", "object", "properties", new JsonObject(fields));
        JsonValue required = root.get("required");
        return required == null ? form : form.with("required", required);
    }

    private static JsonObject field(TypeRef<?> type, String name, JsonObject property) {
        JsonObject field = withoutNull(property);
        Map<String, JsonValue> kept = new LinkedHashMap<>();
        field.members()
                .forEach(
                        (keyword, value) -> {
                            if (KEPT.contains(keyword)) {
                                kept.put(keyword, value);
                            }
                        });
        if (field.get("format") instanceof JsonString format) {
            String known = format.value().equals("uri-reference") ? "uri" : format.value();
            if (FORMATS.contains(known)) {
                kept.put("format", JsonValue.of(known));
            }
        }
        switch (field.get("type") instanceof JsonString one ? one.value() : "") {
            case "string", "number", "integer", "boolean" -> {}
            case "array" -> kept.put("items", items(type, name, field));
            default -> throw unusable(type, name);
        }
        return new JsonObject(kept);
    }

    /**
     * Removes the alternative {@code null}: {@code required} alone states whether a field may stay
     * empty.
     */
    private static JsonObject withoutNull(JsonObject property) {
        if (property.get("anyOf") instanceof JsonArray either
                && either.get(0) instanceof JsonObject first) {
            return first.with(property.without("anyOf"));
        }
        if (property.get("type") instanceof JsonArray types) {
            return property.with("type", types.get(0));
        }
        return property;
    }

    /** Several choices: an array of the constants of an enum. */
    private static JsonObject items(TypeRef<?> type, String name, JsonObject field) {
        if (field.get("items") instanceof JsonObject items) {
            if (items.get("anyOf") instanceof JsonArray titled) {
                return JsonObject.of("anyOf", titled);
            }
            if (items.get("enum") instanceof JsonArray constants) {
                return JsonObject.of("type", "string", "enum", constants);
            }
        }
        throw unusable(type, name);
    }

    private static IllegalArgumentException unusable(TypeRef<?> type, String name) {
        return new IllegalArgumentException(
                "the component "
                        + name
                        + " of "
                        + type
                        + " cannot be asked for in a form, which knows only text, number,"
                        + " boolean, date, enum, list or set of enums");
    }
}
