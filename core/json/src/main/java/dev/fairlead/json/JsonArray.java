package dev.fairlead.json;

import java.util.Iterator;
import java.util.List;

/**
 * A JSON array.
 *
 * @param elements the elements; unmodifiable
 */
public record JsonArray(List<JsonValue> elements) implements JsonValue, Iterable<JsonValue> {
    /** The array without elements. */
    public static final JsonArray EMPTY = new JsonArray(List.of());

    /** Keeps a copy of the elements. */
    public JsonArray {
        elements = List.copyOf(elements);
    }

    /** An array of these elements, each a {@link JsonValue}, text, number, boolean or null. */
    public static JsonArray of(Object... elements) {
        return new JsonArray(java.util.Arrays.stream(elements).map(JsonObject::toValue).toList());
    }

    /** The number of elements. */
    public int size() {
        return elements.size();
    }

    /** The element at an index from 0. */
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
