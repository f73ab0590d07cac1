package dev.fairlead.cli.view;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads words {@code KEY=VALUE} as the arguments of a tool. The schema of the tool decides the type
 * of a value: a text where that is allowed, otherwise JSON. A key that is given several times is an
 * array, and {@code KEY:=JSON} is JSON in any case. A key such as {@code travellers[0].name} names
 * a value within an argument, unless the schema has an argument of that whole name.
 */
public final class ArgumentWords {
    private static final Set<String> TYPES =
            Set.of("object", "array", "string", "boolean", "null", "number", "integer");

    private final JsonObject schema;
    private final SchemaReferences references;

    private ArgumentWords(@Nullable JsonObject schema) {
        this.schema = schema == null ? JsonObject.EMPTY : schema;
        references = new SchemaReferences(this.schema);
    }

    /** Returns whether a word is an argument, not a URL with a query or another word. */
    public static boolean isArgument(String word) {
        int separator = word.indexOf('=');
        return separator > 0 && !word.substring(0, separator).contains("://");
    }

    /**
     * The arguments.
     *
     * @param words of the form {@code KEY=VALUE} or {@code KEY:=JSON}
     * @param schema of the tool; null where it is not known
     * @throws IllegalArgumentException if a value does not fit; the message says why
     */
    public static JsonObject read(List<String> words, @Nullable JsonObject schema) {
        ArgumentWords reader = new ArgumentWords(schema);
        Map<String, List<JsonValue>> given = new LinkedHashMap<>();
        for (String word : words) {
            int separator = word.indexOf('=');
            boolean json = separator > 1 && word.charAt(separator - 1) == ':';
            String name = word.substring(0, json ? separator - 1 : separator);
            String text = word.substring(separator + 1);
            given.computeIfAbsent(name, unused -> new ArrayList<>())
                    .add(json ? json(name, text) : reader.value(name, text));
        }
        JsonObject arguments = JsonObject.EMPTY;
        for (Map.Entry<String, List<JsonValue>> one : given.entrySet()) {
            JsonValue value = reader.joined(one.getKey(), one.getValue());
            arguments = reader.path(one.getKey()).put(arguments, value);
        }
        return arguments;
    }

    /** The place that a key names: within an argument only where the schema may have such a one. */
    private ArgumentPath path(String key) {
        ArgumentPath path = ArgumentPath.of(key);
        JsonObject properties = properties(schema);
        if (path.isWhole() || properties.has(key) || !properties.has(path.argument())) {
            return ArgumentPath.whole(key);
        }
        List<String> types = types(member(schema, path.argument()));
        return types.isEmpty() || types.contains("object") || types.contains("array")
                ? path
                : ArgumentPath.whole(key);
    }

    /** The schema of the value at a place; empty where it is not known. */
    private JsonObject schemaOf(String key) {
        JsonObject found = schema;
        for (String step : path(key).steps()) {
            found = ArgumentPath.isIndex(step) ? items(found) : member(found, step);
        }
        return found;
    }

    private JsonObject member(JsonObject object, String name) {
        JsonValue member = properties(object).get(name);
        return member == null ? JsonObject.EMPTY : references.resolve(member);
    }

    private JsonObject items(JsonObject array) {
        JsonValue items = array.get("items");
        return items == null ? JsonObject.EMPTY : references.resolve(items);
    }

    private static JsonObject properties(JsonObject schema) {
        return schema.get("properties") instanceof JsonObject properties
                ? properties
                : JsonObject.EMPTY;
    }

    private static JsonValue json(String name, String text) {
        try {
            return JsonValue.parse(text);
        } catch (JsonException e) {
            throw new IllegalArgumentException(name + ":= must be JSON: " + e.getMessage(), e);
        }
    }

    /** One value, or the element of an array. */
    private JsonValue value(String name, String text) {
        JsonObject argument = schemaOf(name);
        List<String> types = types(argument);
        if (isArray(types) && !text.startsWith("[")) {
            return typed(name, text, types(items(argument)));
        }
        return typed(name, text, types);
    }

    /** A value of a type that is none of JSON Schema is not checked. */
    private static JsonValue typed(String name, String text, List<String> types) {
        if (types.contains("string")) {
            return JsonValue.of(text);
        }
        JsonValue value = jsonOrText(text);
        if (types.isEmpty() || types.stream().anyMatch(type -> isOf(value, type))) {
            return value;
        }
        throw new IllegalArgumentException(
                name + " must be " + String.join(" or ", types) + " but was " + text);
    }

    private static JsonValue jsonOrText(String text) {
        try {
            return JsonValue.parse(text);
        } catch (JsonException e) {
            return JsonValue.of(text);
        }
    }

    private static boolean isOf(JsonValue value, String type) {
        return switch (value) {
            case JsonObject object -> type.equals("object");
            case JsonArray array -> type.equals("array");
            case JsonString text -> type.equals("string");
            case JsonBoolean flag -> type.equals("boolean");
            case JsonNull nothing -> type.equals("null");
            case JsonNumber number ->
                    type.equals("number") || type.equals("integer") && isWhole(number.value());
        };
    }

    private static boolean isWhole(BigDecimal number) {
        return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    }

    private JsonValue joined(String name, List<JsonValue> values) {
        List<String> types = types(schemaOf(name));
        boolean array = isArray(types);
        if (values.size() == 1) {
            JsonValue only = values.getFirst();
            return array && !(only instanceof JsonArray) && !(only instanceof JsonNull)
                    ? new JsonArray(values)
                    : only;
        }
        if (!array && !types.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " is given " + values.size() + " times, but it is not an array");
        }
        return new JsonArray(values);
    }

    private static boolean isArray(List<String> types) {
        return types.contains("array") && !types.contains("string");
    }

    /** The types that a schema names, or those of the values that it lists. */
    private static List<String> types(JsonObject schema) {
        List<String> types = ToolArgument.types(schema);
        if (!TYPES.containsAll(types)) {
            return List.of();
        }
        boolean texts =
                types.isEmpty()
                        && schema.get("enum") instanceof JsonArray choices
                        && choices.elements().stream().allMatch(JsonString.class::isInstance);
        return texts ? List.of("string") : types;
    }
}
