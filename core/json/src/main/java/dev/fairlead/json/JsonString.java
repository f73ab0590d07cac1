package dev.fairlead.json;

import java.util.Objects;

/**
 * A JSON string.
 *
 * @param value its text
 */
public record JsonString(String value) implements JsonValue {
    /** Refuses null. */
    public JsonString {
        Objects.requireNonNull(value, "value");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonString text && value.equals(text.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return toJson();
    }
}
