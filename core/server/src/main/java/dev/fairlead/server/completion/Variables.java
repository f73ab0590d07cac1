package dev.fairlead.server.completion;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.TypeRef;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A record whose components travel as strings: the arguments of a prompt, the variables of a URI
 * template.
 *
 * @param <I> the record
 */
public final class Variables<I> {
    private final JsonCodec<I> codec;
    private final Map<String, JsonObject> properties = new LinkedHashMap<>();
    private final List<String> required = new ArrayList<>();

    /**
     * @throws IllegalArgumentException if the type is not a record of values that are read from
     *     strings
     */
    public Variables(TypeRef<I> type) {
        codec = JsonCodec.of(type).fromStrings();
        JsonSchema schema = JsonSchema.of(type);
        if (!schema.isObject()) {
            throw new IllegalArgumentException("a record was expected but it was " + type);
        }
        if (schema.json().get("properties") instanceof JsonObject members) {
            members.members()
                    .forEach((name, member) -> properties.put(name, scalar(type, name, member)));
        }
        if (schema.json().get("required") instanceof JsonArray names) {
            names.forEach(name -> required.add(((JsonString) name).value()));
        }
    }

    private static JsonObject scalar(TypeRef<?> type, String name, JsonValue schema) {
        boolean composite =
                schema instanceof JsonObject object
                        && (isType(object, "object")
                                || isType(object, "array")
                                || object.has("$ref"));
        if (composite || !(schema instanceof JsonObject)) {
            throw new IllegalArgumentException(
                    "the component "
                            + name
                            + " of "
                            + type
                            + " must be a text, number, boolean, date or enum");
        }
        return (JsonObject) schema;
    }

    private static boolean isType(JsonObject schema, String type) {
        JsonValue declared = schema.get("type");
        return declared instanceof JsonArray several
                ? several.elements().contains(JsonValue.of(type))
                : declared instanceof JsonString text && text.value().equals(type);
    }

    public Set<String> names() {
        return properties.keySet();
    }

    public boolean isRequired(String name) {
        return required.contains(name);
    }

    public @Nullable String description(String name) {
        JsonObject schema = properties.get(name);
        return schema != null && schema.get("description") instanceof JsonString text
                ? text.value()
                : null;
    }

    /** The values of an enum component; empty for any other. */
    List<String> constants(String name) {
        JsonObject schema = properties.get(name);
        if (schema == null) {
            return List.of();
        }
        if (schema.get("anyOf") instanceof JsonArray either
                && either.get(0) instanceof JsonObject first) {
            schema = first; // or null
        }
        List<String> constants = new ArrayList<>();
        if (schema.get("enum") instanceof JsonArray values) {
            values.forEach(value -> constants.add(((JsonString) value).value()));
        } else if (schema.get("oneOf") instanceof JsonArray titled) {
            titled.forEach(value -> constants.add(((JsonObject) value).string("const")));
        }
        return constants;
    }

    /**
     * Binds strings to the record.
     *
     * @throws JsonBindingException with every violation
     */
    public I read(Map<String, String> values) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        values.forEach((name, value) -> members.put(name, JsonValue.of(value)));
        return codec.read(new JsonObject(members));
    }

    /** The strings of a record, without those that are absent. */
    public Map<String, String> write(I value) {
        Map<String, String> values = new LinkedHashMap<>();
        ((JsonObject) codec.toValue(value))
                .members()
                .forEach((name, member) -> put(values, name, member));
        return values;
    }

    private static void put(Map<String, String> values, String name, JsonValue member) {
        switch (member) {
            case JsonString text -> values.put(name, text.value());
            case JsonNumber number -> values.put(name, number.toJson());
            case JsonBoolean flag -> values.put(name, flag.toJson());
            case JsonNull absent -> {}
            case JsonObject object -> throw new IllegalStateException(name + " is no scalar");
            case JsonArray array -> throw new IllegalStateException(name + " is no scalar");
        }
    }
}
