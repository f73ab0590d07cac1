package dev.fairlead.json;

/** The JSON literals {@code true} and {@code false}. */
public enum JsonBoolean implements JsonValue {
    TRUE,
    FALSE;

    public boolean value() {
        return this == TRUE;
    }

    @Override
    public String toString() {
        return toJson();
    }
}
