package dev.fairlead.json;

import java.util.Objects;

/** A JSON string. */
public record JsonString(String value) implements JsonValue {
    public JsonString {
        Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
        return toJson();
    }
}
