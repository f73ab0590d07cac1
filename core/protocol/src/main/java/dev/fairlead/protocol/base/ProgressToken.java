package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonInline;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

/**
 * The name under which a request asks for progress: a string or a 64-bit integer, chosen by its
 * sender.
 *
 * @param value a {@link JsonString} or a whole {@link JsonNumber}
 */
@JsonInline
public record ProgressToken(JsonValue value) {
    /** The greatest length of a token, in characters. */
    static final int MAX_LENGTH = 16 << 10;

    public ProgressToken {
        boolean legal =
                value instanceof JsonString
                        || (value instanceof JsonNumber number && number.isLong());
        if (!legal) {
            throw new IllegalArgumentException(
                    "a progress token must be a string or a 64-bit integer");
        }
        if (value instanceof JsonString text && text.value().length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "a progress token may have %s characters but has %s"
                            .formatted(MAX_LENGTH, text.value().length()));
        }
    }

    public static ProgressToken of(long value) {
        return new ProgressToken(JsonValue.of(value));
    }

    @Override
    public String toString() {
        return value.toJson();
    }
}
