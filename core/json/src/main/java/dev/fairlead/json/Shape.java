package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * How the values of one Java type look on the wire: the one model behind reading, writing, messages
 * and schema.
 *
 * <p>The shapes of a codec are a graph, built once by {@link ShapeBuilder} and unchanged from then
 * on.
 */
interface Shape {
    /**
     * Takes the current value of the reader.
     *
     * @return the value, or null if a violation was noted
     */
    @Nullable Object read(JsonReader reader, Reading reading);

    /** Writes a value of this type. */
    void write(Object value, JsonWriter writer);

    /** The schema of this shape as members that the caller may add to. */
    Map<String, JsonValue> schema(SchemaBuilder schemas);

    /** The kind of JSON value that this shape takes, or null if there are several. */
    default JsonReader.@Nullable Kind kind() {
        return null;
    }

    /** Whether the literal null is a value of this type, rather than the lack of one. */
    default boolean takesNull() {
        return false;
    }

    /** Whether values have a plain text form, so they can name the members of a map. */
    default boolean isText() {
        return false;
    }

    /** The value of a text, or null if a violation was noted; only where {@link #isText} holds. */
    default @Nullable Object fromText(String text, Reading reading) {
        throw new IllegalStateException("no text form");
    }

    /** The text form of a value; only where {@link #isText} holds. */
    default String toText(Object value) {
        throw new IllegalStateException("no text form");
    }
}
