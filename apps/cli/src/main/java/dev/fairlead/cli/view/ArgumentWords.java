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
 * array, and {@code KEY:=JSON} is JSON in any case.
 */
public final class ArgumentWords {
    private static final Set<String> TYPES =
            Set.of("object", "array", "string", "boolean", "null", "number", "integer");

    private final Map<String, ToolArgument> known = new LinkedHashMap<>();

    private ArgumentWords(@Nullable JsonObject schema) {
        if (schema != null) {
            ToolArgument.of(schema).forEach(argument -> known.put(argument.name(), argument));
        }
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
            arguments = arguments.with(one.getKey(), reader.joined(one.getKey(), one.getValue()));
        }
        return arguments;
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
        ToolArgument argument = known.get(name);
        List<String> types = argument == null ? List.of() : types(argument.schema());
        if (types.contains("array") && !types.contains("string") && !text.startsWith("[")) {
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
        ToolArgument argument = known.get(name);
        boolean array = argument != null && isArray(argument);
        if (values.size() == 1) {
            JsonValue only = values.getFirst();
            return array && !(only instanceof JsonArray) && !(only instanceof JsonNull)
                    ? new JsonArray(values)
                    : only;
        }
        if (argument != null && !array && !types(argument.schema()).isEmpty()) {
            throw new IllegalArgumentException(
                    name + " is given " + values.size() + " times, but it is not an array");
        }
        return new JsonArray(values);
    }

    private static boolean isArray(ToolArgument argument) {
        List<String> types = types(argument.schema());
        return types.contains("array") && !types.contains("string");
    }

    private static JsonObject items(@Nullable ToolArgument argument) {
        return argument != null && argument.schema().get("items") instanceof JsonObject items
                ? items
                : JsonObject.EMPTY;
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
