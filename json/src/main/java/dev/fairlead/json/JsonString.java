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
    public String toString() {
        return toJson();
    }
}
