package dev.fairlead.json;

import java.util.Map;
import java.util.Set;

/**
 * Bounds the cost of a schema: its depth, its size, and its regular expressions, which are read
 * here first.
 */
final class SchemaLimits {
    private static final int MAX_DEPTH = 100;
    private static final int MAX_VALUES = 20_000;
    private static final int MAX_PATTERN = 2000;

    /** Keywords whose values are instances, not schemas. */
    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

    private int values;

    private SchemaLimits() {}

    /**
     * @throws JsonSchemaException if a schema exceeds a limit or has a pattern that is none
     */
    static void check(JsonObject schema) {
        new SchemaLimits().walk(schema, 1, true);
    }

    private void walk(JsonValue value, int depth, boolean schema) {
        if (depth > MAX_DEPTH) {
            throw new JsonSchemaException(
                    "the schema is nested more than " + MAX_DEPTH + " levels deep");
        }
        if (++values > MAX_VALUES) {
            throw new JsonSchemaException("the schema has more than " + MAX_VALUES + " values");
        }
        if (value instanceof JsonObject object) {
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                if (schema) {
                    patterns(member.getKey(), member.getValue());
                }
                walk(member.getValue(), depth + 1, schema && !DATA.contains(member.getKey()));
            }
        } else if (value instanceof JsonArray array) {
            array.forEach(element -> walk(element, depth + 1, schema));
        } else if (value instanceof JsonNumber number) {
            number(number);
        }
    }

    private static void number(JsonNumber number) {
        try {
            SchemaTree.of(number);
        } catch (SchemaTree.HugeNumber e) {
            throw new JsonSchemaException("the schema has a number with an exponent beyond 1000");
        }
    }

    private static void patterns(String keyword, JsonValue value) {
        if (keyword.equals("pattern") && value instanceof JsonString regex) {
            pattern(regex.value());
        } else if (keyword.equals("patternProperties") && value instanceof JsonObject byPattern) {
            byPattern.names().forEach(SchemaLimits::pattern);
        }
    }

    private static void pattern(String regex) {
        if (regex.length() > MAX_PATTERN) {
            throw new JsonSchemaException(
                    "the schema has a pattern of more than " + MAX_PATTERN + " characters");
        }
        try {
            SchemaValidator.pattern(regex);
        } catch (IllegalArgumentException e) {
            throw new JsonSchemaException("the schema has a pattern that is " + e.getMessage(), e);
        }
    }
}
