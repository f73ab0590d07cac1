package dev.fairlead.json;

/** The JSON literal {@code null}. */
public enum JsonNull implements JsonValue {
    NULL;

    @Override
    public String toString() {
        return toJson();
    }
}
