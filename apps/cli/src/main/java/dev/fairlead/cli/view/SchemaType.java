package dev.fairlead.cli.view;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The values that a JSON Schema allows, in a few words such as {@code integer 0..10}. Not complete,
 * but sufficient for a user who types an argument.
 */
final class SchemaType {
    private static final int MAX_DEPTH = 3; // schemas may nest in circles
    private static final int MAX_CHOICES = 12;

    private final SchemaReferences references;

    /**
     * @param root the schema that references point into
     */
    SchemaType(JsonObject root) {
        references = new SchemaReferences(root);
    }

    /** The words; empty where the schema says nothing of this kind. */
    String of(JsonObject schema) {
        return Printable.line(words(schema, 0));
    }

    private String words(JsonObject schema, int depth) {
        if (depth > MAX_DEPTH) {
            return "…";
        }
        if (schema.get("enum") instanceof JsonArray choices) {
            return either(choices.elements().stream().map(SchemaType::word));
        }
        JsonValue constant = schema.get("const");
        if (constant != null) {
            return word(constant);
        }
        for (String union : List.of("anyOf", "oneOf")) {
            if (schema.get(union) instanceof JsonArray options) {
                return either(options.elements().stream().map(option -> nested(option, depth)));
            }
        }
        return String.join(" | ", types(schema, depth)) + range(schema) + format(schema);
    }

    private String nested(@Nullable JsonValue schema, int depth) {
        String words = schema == null ? "" : words(references.resolve(schema), depth + 1);
        return words.isEmpty() ? "any" : words;
    }

    private static String either(Stream<String> choices) {
        List<String> distinct =
                choices.flatMap(choice -> Stream.of(choice.split(" \\| ")))
                        .distinct()
                        .limit(MAX_CHOICES + 1L)
                        .toList();
        return distinct.stream().limit(MAX_CHOICES).collect(Collectors.joining(" | "))
                + (distinct.size() > MAX_CHOICES ? " | …" : "");
    }

    private List<String> types(JsonObject schema, int depth) {
        return ToolArgument.types(schema).stream()
                .map(
                        type ->
                                type.equals("array")
                                        ? "array of " + nested(schema.get("items"), depth)
                                        : type)
                .toList();
    }

    private static String range(JsonObject schema) {
        String least = number(schema, "minimum");
        String most = number(schema, "maximum");
        if (least.isEmpty() && most.isEmpty()) {
            return "";
        }
        return most.isEmpty() ? " from " + least : " " + least + ".." + most;
    }

    private static String number(JsonObject schema, String member) {
        return schema.get(member) instanceof JsonNumber number ? number.toString() : "";
    }

    private static String format(JsonObject schema) {
        return schema.get("format") instanceof JsonString format ? " (" + format.value() + ")" : "";
    }

    /** A value as it is typed: texts without quotes. */
    static String word(JsonValue value) {
        return value instanceof JsonString text ? text.value() : value.toJson();
    }
}
