package dev.fairlead.json;

/** The JSON literal {@code null}. */
public enum JsonNull implements JsonValue {
    /** The only value. */
    NULL;

    @Override
    public String toString() {
        return toJson();
    }
}
