package dev.fairlead.json;

/** The JSON literals {@code true} and {@code false}. */
public enum JsonBoolean implements JsonValue {
    /** The literal {@code true}. */
    TRUE,
    /** The literal {@code false}. */
    FALSE;

    /** This value as a Java boolean. */
    public boolean value() {
        return this == TRUE;
    }

    @Override
    public String toString() {
        return toJson();
    }
}
