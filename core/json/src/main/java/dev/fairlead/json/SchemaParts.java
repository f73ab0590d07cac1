package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Visits the schemas in a schema: values of keywords such as {@code default} are none. */
final class SchemaParts {
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

    /** Visits all schemas that a schema has. */
    static void all(JsonObject schema, Consumer<JsonObject> visitor) {
        schema.members()
                .forEach(
                        (keyword, value) -> {
                            if (value instanceof JsonObject object) {
                                if (SINGLE.contains(keyword)) {
                                    visitor.accept(object);
                                } else if (MAPS.contains(keyword)) {
                                    object.members().values().forEach(part -> visit(part, visitor));
                                }
                            } else if (LISTS.contains(keyword)) {
                                list(value, visitor);
                            }
                        });
    }

    /** Visits the schemas that a schema has for the same value, without references. */
    static void same(JsonObject schema, Consumer<JsonObject> visitor) {
        SAME.forEach(keyword -> visit(schema.get(keyword), visitor));
        if (schema.has("if")) { // without it the others mean nothing
            visit(schema.get("then"), visitor);
            visit(schema.get("else"), visitor);
        }
        SAME_LISTS.forEach(keyword -> list(schema.get(keyword), visitor));
        for (String keyword : SAME_MAPS) {
            if (schema.get(keyword) instanceof JsonObject parts) {
                parts.members().values().forEach(part -> visit(part, visitor));
            }
        }
    }

    private static void list(@Nullable JsonValue value, Consumer<JsonObject> visitor) {
        if (value instanceof JsonArray array) {
            array.elements().forEach(part -> visit(part, visitor));
        }
    }

    private static void visit(@Nullable JsonValue value, Consumer<JsonObject> visitor) {
        if (value instanceof JsonObject object) {
            visitor.accept(object);
        }
    }
}
