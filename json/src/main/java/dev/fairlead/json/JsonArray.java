package dev.fairlead.json;

import java.util.Iterator;
import java.util.List;

/** A JSON array. */
public record JsonArray(List<JsonValue> elements) implements JsonValue, Iterable<JsonValue> {
    public static final JsonArray EMPTY = new JsonArray(List.of());

    public JsonArray {
        elements = List.copyOf(elements);
    }

    /** An array of these elements, each a {@link JsonValue}, text, number, boolean or null. */
    public static JsonArray of(Object... elements) {
        return new JsonArray(java.util.Arrays.stream(elements).map(JsonObject::toValue).toList());
    }

    public int size() {
        return elements.size();
    }

    public JsonValue get(int index) {
        return elements.get(index);
    }

    @Override
    public Iterator<JsonValue> iterator() {
        return elements.iterator();
    }

    @Override
    public String toString() {
        return toJson();
    }
}
