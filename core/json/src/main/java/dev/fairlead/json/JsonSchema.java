package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * A JSON Schema: the JSON tree as it was written, so that no keyword is lost, and its compiled
 * form.
 *
 * <p>Supported dialects are 2020-12, which holds where {@code $schema} is absent, 2019-09 and
 * draft-07. {@code format} describes and does not check. A schema is compiled when it is first
 * used, once; it never reaches beyond itself: a {@code $ref} to another document is refused, not
 * fetched. Depth, size, regular expressions and the effort of a validation are bounded.
 *
 * <p>Immutable and thread-safe. Two schemas are equal if their trees are.
 *
 * @spec https://json-schema.org/draft/2020-12 JSON Schema 2020-12
 */
public final class JsonSchema {
    private final JsonObject json;
    private volatile @Nullable SchemaValidator validator; // made twice at worst

    private JsonSchema(JsonObject json) {
        this.json = json;
    }

    /**
     * Reads a schema. Only its JSON is looked at; {@link #check} looks at the schema.
     *
     * @throws JsonException if the text is not JSON
     * @throws IllegalArgumentException if it is not an object
     */
    public static JsonSchema parse(String text) {
        JsonValue value = JsonValue.parse(text);
        if (!(value instanceof JsonObject object)) {
            throw new IllegalArgumentException(
                    "a schema must be an object but was " + JsonObject.kind(value));
        }
        return new JsonSchema(object);
    }

    /** The schema that this tree is. */
    public static JsonSchema of(JsonObject json) {
        return new JsonSchema(Objects.requireNonNull(json, "json"));
    }

    /**
     * Returns whether a text has a format that {@link Format} checks; true for any other format.
     * Validation by a schema does not check formats.
     */
    public static boolean hasFormat(String text, String format) {
        TextFormat known = TextFormat.named(format);
        return known == null || known.fits().test(text);
    }

    /**
     * Returns the 2020-12 schema of the JSON that {@link JsonCodec} reads and writes for a class.
     * Explicit nulls aside, which the codec takes for absent optional members, and the 32 or 64
     * bits of {@code int} and {@code long}, both say the same.
     *
     * @throws IllegalArgumentException if the type, or one that it is made of, has no JSON form
     */
    public static JsonSchema of(Class<?> type) {
        return new JsonSchema(SchemaBuilder.schema(JsonCodec.of(type).shape()));
    }

    /** The schema of a type with type arguments, as {@link #of(Class)}. */
    public static JsonSchema of(TypeRef<?> type) {
        return new JsonSchema(SchemaBuilder.schema(JsonCodec.of(type).shape()));
    }

    /** The tree. */
    public JsonObject json() {
        return json;
    }

    /** Whether the root says {@code "type": "object"}, as the schemas of tools must. */
    public boolean isObject() {
        return json.get("type") instanceof JsonString type && type.value().equals("object");
    }

    /**
     * Checks that this schema can be used: its dialect is supported, it is valid by the meta-schema
     * of its dialect, and it is complete in itself.
     *
     * @throws JsonSchemaException if not; the message says why
     */
    public void check() {
        validator();
    }

    /**
     * Checks a value.
     *
     * @return the violations, at most 50; empty if there are none. A value whose check exceeds the
     *     limits of effort is a violation
     * @throws JsonSchemaException if this schema cannot be used, as {@link #check}
     */
    public List<JsonViolation> validate(JsonValue value) {
        return validator().validate(value, limit -> List.of(new JsonViolation("", limit)));
    }

    /**
     * Checks a value of which it is no violation that it cannot be checked. Input of a peer needs
     * {@link #validate}: it could be made so that no check ends.
     *
     * @return the violations, at most 50; empty if there are none
     * @throws JsonSchemaException if this schema cannot be used, as {@link #check}, or the check
     *     exceeds the limits of effort
     */
    public List<JsonViolation> validateWithinLimits(JsonValue value) {
        return validator()
                .validate(
                        value,
                        limit -> {
                            throw new JsonSchemaException("the value " + limit);
                        });
    }

    private SchemaValidator validator() {
        SchemaValidator known = validator;
        if (known == null) {
            known = SchemaValidator.compile(json);
            validator = known;
        }
        return known;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonSchema schema && json.equals(schema.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json.toJson();
    }
}
