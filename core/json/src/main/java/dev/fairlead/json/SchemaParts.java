package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Visits the schemas in a schema: values of keywords such as {@code default} are none. */
public final class SchemaParts {
    /** Keywords whose value is a schema for the same value. */
    private static final List<String> SAME = List.of("not", "if");

    /** Keywords whose value is a list of schemas for the same value. */
    private static final List<String> SAME_LISTS = List.of("allOf", "anyOf", "oneOf");

    /** Keywords whose value has by its names schemas for the same value. */
    private static final List<String> SAME_MAPS = List.of("dependentSchemas", "dependencies");

    /** Keywords whose value has schemas by names, which are not keywords. */
    static final Set<String> MAPS =
            Set.of(
                    "properties",
                    "patternProperties",
                    "$defs",
                    "definitions",
                    "dependentSchemas",
                    "dependencies");

    private static final Set<String> LISTS =
            Set.of("allOf", "anyOf", "oneOf", "prefixItems", "items");

    private static final Set<String> SINGLE =
            Set.of(
                    "not",
                    "if",
                    "then",
                    "else",
                    "items",
                    "additionalItems",
                    "unevaluatedItems",
                    "contains",
                    "additionalProperties",
                    "unevaluatedProperties",
                    "propertyNames",
                    "contentSchema");

    private SchemaParts() {}

    /**
     * A schema within another one.
     *
     * @param keyword of the other one, whose value has it
     * @param name of the member, or the number of the element, within that value; null if the
     *     schema is the value
     */
    public record Part(String keyword, @Nullable String name, JsonObject schema) {}

    /** Visits all schemas that a schema has, but not those within them. */
    public static void visit(JsonObject schema, Consumer<Part> visitor) {
        schema.members()
                .forEach(
                        (keyword, value) -> {
                            if (value instanceof JsonObject object && SINGLE.contains(keyword)) {
                                visitor.accept(new Part(keyword, null, object));
                            } else if (value instanceof JsonObject object
                                    && MAPS.contains(keyword)) {
                                object.members()
                                        .forEach(
                                                (name, part) ->
                                                        visit(keyword, name, part, visitor));
                            } else if (value instanceof JsonArray array
                                    && LISTS.contains(keyword)) {
                                for (int i = 0; i < array.size(); i++) {
                                    visit(keyword, String.valueOf(i), array.get(i), visitor);
                                }
                            }
                        });
    }

    private static void visit(String keyword, String name, JsonValue part, Consumer<Part> visitor) {
        if (part instanceof JsonObject schema) {
            visitor.accept(new Part(keyword, name, schema));
        }
    }

    /** Visits all schemas that a schema has, but not those within them. */
    static void all(JsonObject schema, Consumer<JsonObject> visitor) {
        visit(schema, part -> visitor.accept(part.schema()));
    }

    /** Visits the schemas that a schema has for the same value, without references. */
    static void same(JsonObject schema, Consumer<JsonObject> visitor) {
        SAME.forEach(keyword -> accept(schema.get(keyword), visitor));
        if (schema.has("if")) { // without it the others mean nothing
            accept(schema.get("then"), visitor);
            accept(schema.get("else"), visitor);
        }
        SAME_LISTS.forEach(keyword -> list(schema.get(keyword), visitor));
        for (String keyword : SAME_MAPS) {
            if (schema.get(keyword) instanceof JsonObject parts) {
                parts.members().values().forEach(part -> accept(part, visitor));
            }
        }
    }

    private static void list(@Nullable JsonValue value, Consumer<JsonObject> visitor) {
        if (value instanceof JsonArray array) {
            array.elements().forEach(part -> accept(part, visitor));
        }
    }

    private static void accept(@Nullable JsonValue value, Consumer<JsonObject> visitor) {
        if (value instanceof JsonObject object) {
            visitor.accept(object);
        }
    }
}
