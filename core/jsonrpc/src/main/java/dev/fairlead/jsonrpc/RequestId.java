package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonInline;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The id of a request: a string or a 64-bit integer. It keeps the type it had on the wire, so
 * {@code 1} and {@code "1"} are different ids.
 *
 * @param value a {@link JsonString} or a whole {@link JsonNumber}
 */
@JsonInline
public record RequestId(JsonValue value) {
    private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,17}");

    public RequestId {
        boolean legal =
                value instanceof JsonString
                        || (value instanceof JsonNumber number && number.isLong());
        if (!legal) {
            throw new IllegalArgumentException("a request id must be a string or a 64-bit integer");
        }
    }

    public static RequestId of(long value) {
        return new RequestId(JsonValue.of(value));
    }

    public static RequestId of(String value) {
        return new RequestId(JsonValue.of(value));
    }

    /**
     * The integer that the text of this id is: peers that do not keep the type send {@code "3"} for
     * {@code 3}. Empty for an id that is an integer already, and for any other text.
     */
    public Optional<RequestId> asInteger() {
        return value instanceof JsonString text && INTEGER.matcher(text.value()).matches()
                ? Optional.of(of(Long.parseLong(text.value())))
                : Optional.empty();
    }

    /** How many bytes the id has on the wire if it needs no escapes. */
    int size() {
        if (value instanceof JsonNumber number) {
            return number.value().precision() + (number.value().signum() < 0 ? 1 : 0);
        }
        return ((JsonString) value).value().length() + 2;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RequestId id && value.equals(id.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** The id as it stands on the wire: text in quotation marks, an integer without. */
    @Override
    public String toString() {
        return value.toJson();
    }
}
