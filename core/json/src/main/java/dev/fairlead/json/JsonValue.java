package dev.fairlead.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Any JSON value, lossless: members keep their order, numbers their digits, unknown members stay.
 *
 * <p>Values are immutable and may be shared by threads. Members that are absent and members that
 * are {@code null} on the wire are different: the first are missing in {@link JsonObject}, the
 * second are {@link JsonNull}.
 */
public sealed interface JsonValue
        permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {

    /**
     * Reads one JSON text.
     *
     * @throws JsonException if the text is not exactly one JSON value, names a member twice in one
     *     object, or exceeds {@link JsonReader#MAX_DEPTH}
     */
    static JsonValue parse(String text) {
        return RawJson.parse(text).value();
    }

    /**
     * Reads the JSON text that a string of a peer contains. It may have as many values as a
     * message, of which the string itself is one.
     *
     * @throws JsonException as for {@link #parse}, and if the text has more than 1,000,000 values
     */
    static JsonValue parseInText(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        try (JsonReader reader = new JsonReader(utf8, JsonReader.MAX_VALUES_IN_STRINGS)) {
            JsonValue value = reader.value();
            reader.end();
            return value;
        }
    }

    /** The value of a text. */
    static JsonValue of(String value) {
        return new JsonString(value);
    }

    /** The value of an integer. */
    static JsonValue of(long value) {
        return new JsonNumber(BigDecimal.valueOf(value));
    }

    /**
     * The value of a floating point number.
     *
     * @throws IllegalArgumentException if the value is NaN or infinite, which JSON cannot say
     */
    static JsonValue of(double value) {
        return JsonNumber.of(value);
    }

    /** The value of a boolean. */
    static JsonValue of(boolean value) {
        return value ? JsonBoolean.TRUE : JsonBoolean.FALSE;
    }

    /** Writes this value compactly, on one line. */
    default String toJson() {
        return RawJson.of(this).toJson();
    }
}
