package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Bounds the cost of a schema: its depth, its size, its references and regular expressions. */
final class SchemaLimits {
    private static final int MAX_DEPTH = 100;
    private static final int MAX_VALUES = 20_000;
    private static final int MAX_PATTERN = 2000;

    /** An address of a part, or a reference to one: to resolve one takes the square of it. */
    private static final int MAX_REFERENCE = 2000;

    /** Characters of all addresses and references. */
    private static final int MAX_REFERENCES = 1_000_000;

    private static final List<String> REFERENCES =
            List.of("$ref", "$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef");

    private int values;
    private int references;

    private SchemaLimits() {}

    /**
     * @throws JsonSchemaException if a schema exceeds a limit
     */
    static void check(JsonObject schema) {
        new SchemaLimits().walk(schema, 1);
    }

    private void walk(JsonValue value, int depth) {
        if (depth > MAX_DEPTH) {
            throw new JsonSchemaException(
                    "the schema is nested more than " + MAX_DEPTH + " levels deep");
        }
        if (++values > MAX_VALUES) {
            throw new JsonSchemaException("the schema has more than " + MAX_VALUES + " values");
        }
        if (value instanceof JsonObject object) {
            REFERENCES.forEach(keyword -> reference(keyword, object.get(keyword)));
            object.members().values().forEach(member -> walk(member, depth + 1));
        } else if (value instanceof JsonArray array) {
            array.forEach(element -> walk(element, depth + 1));
            if (array.size() > EqualHashes.MOST && EqualHashes.areTooMany(SchemaTree.of(array))) {
                throw new JsonSchemaException(
                        "the schema has more than "
                                + EqualHashes.MOST
                                + " values with the same hash in an array");
            }
        } else if (value instanceof JsonNumber number) {
            number(number);
        }
    }

    private void reference(String keyword, @Nullable JsonValue value) {
        if (!(value instanceof JsonString text)) {
            return;
        }
        if (text.value().length() > MAX_REFERENCE) {
            throw new JsonSchemaException(
                    "the schema has a "
                            + keyword
                            + " of more than "
                            + MAX_REFERENCE
                            + " characters");
        }
        references += text.value().length();
        if (references > MAX_REFERENCES) {
            throw new JsonSchemaException(
                    "the schema has references and addresses of more than "
                            + MAX_REFERENCES
                            + " characters in all");
        }
    }

    private static void number(JsonNumber number) {
        try {
            SchemaTree.of(number);
        } catch (SchemaTree.HugeNumber e) {
            throw new JsonSchemaException("the schema has a number with an exponent beyond 1000");
        }
    }

    /**
     * Checks the regular expressions of one schema.
     *
     * @throws JsonSchemaException if one is too long, or is none
     */
    static void checkPatterns(JsonObject schema) {
        if (schema.get("pattern") instanceof JsonString regex) {
            pattern(regex.value());
        }
        if (schema.get("patternProperties") instanceof JsonObject byPattern) {
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
