package dev.fairlead.json;

import java.math.BigDecimal;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes one JSON value compactly into memory, on one line, nested at most {@link
 * JsonReader#MAX_DEPTH} levels deep. For use by one thread. The calls must make up one value: other
 * calls are refused or end in text that is not JSON.
 */
public final class JsonWriter {
    private static final int DEFAULT_SIZE = 256;

    private final JsonBuffer buffer;
    private boolean commaDue; // before the next name or value
    private int depth;

    /** A writer of a text of unknown length. */
    public JsonWriter() {
        this(DEFAULT_SIZE);
    }

    /**
     * A writer of a text of roughly this length, which may be longer.
     *
     * @param expected length in bytes
     * @throws IllegalArgumentException if it is negative
     */
    public JsonWriter(int expected) {
        if (expected < 0) {
            throw new IllegalArgumentException("a length must not be negative: " + expected);
        }
        buffer = new JsonBuffer(new byte[expected]);
    }

    /**
     * Creates a writer into this array, or into a larger one once it is full. The result of {@link
     * #finish} may be part of this array, which must not be changed as long as that is used.
     */
    public JsonWriter(byte[] room) {
        buffer = new JsonBuffer(room);
    }

    /** Begins an object, whose members follow. */
    public JsonWriter beginObject() {
        return begin('{');
    }

    private JsonWriter begin(char open) {
        if (++depth > JsonReader.MAX_DEPTH) {
            throw new JsonException(
                    "the value is nested more than " + JsonReader.MAX_DEPTH + " levels deep");
        }
        separate();
        buffer.add(open);
        commaDue = false;
        return this;
    }

    private void separate() {
        if (commaDue) {
            buffer.add(',');
        }
        commaDue = true;
    }

    /** Ends the object begun last. */
    public JsonWriter endObject() {
        return end('}');
    }

    private JsonWriter end(char close) {
        if (--depth < 0) {
            throw new IllegalStateException("no object or array has begun");
        }
        buffer.add(close);
        commaDue = true;
        return this;
    }

    /** Begins an array, whose elements follow. */
    public JsonWriter beginArray() {
        return begin('[');
    }

    /** Ends the array begun last. */
    public JsonWriter endArray() {
        return end(']');
    }

    /**
     * Writes the name of the member whose value comes next.
     *
     * @throws IllegalArgumentException if the name has half a surrogate pair, which readers refuse
     *     even as an escape
     */
    public JsonWriter name(String name) {
        if (JsonBuffer.hasLoneSurrogate(name)) {
            throw new IllegalArgumentException("the name of a member has half a surrogate pair");
        }
        string(name);
        buffer.add(':');
        commaDue = false;
        return this;
    }

    /** Writes a string. */
    public JsonWriter string(String value) {
        separate();
        buffer.addQuoted(value);
        return this;
    }

    private JsonWriter ascii(String json) {
        separate();
        buffer.add(json);
        return this;
    }

    /** Writes an integer. */
    public JsonWriter number(long value) {
        return ascii(Long.toString(value));
    }

    /**
     * Writes a number with the fewest digits that distinguish it from others.
     *
     * @throws IllegalArgumentException if the value is NaN or infinite, which JSON cannot express
     */
    public JsonWriter number(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("JSON has no number for " + value);
        }
        return ascii(Double.toString(value));
    }

    /** Writes a number with the digits that it has. */
    public JsonWriter number(BigDecimal value) {
        return ascii(value.toString());
    }

    /** Writes a boolean. */
    public JsonWriter bool(boolean value) {
        return ascii(value ? "true" : "false");
    }

    /** Writes null. */
    public JsonWriter nullValue() {
        return ascii("null");
    }

    /** Writes a text as it stands. */
    public JsonWriter raw(RawJson raw) {
        separate();
        raw.writeTo(buffer);
        return this;
    }

    /**
     * Writes the members of an object as they stand, into the object begun last.
     *
     * @throws IllegalArgumentException if the text is not an object
     */
    public JsonWriter members(RawJson object) {
        if (!object.isObject()) {
            throw new IllegalArgumentException("the text must be an object");
        }
        if (object.hasMembers()) {
            separate();
            object.writeMembersTo(buffer);
        }
        return this;
    }

    /** Writes a tree. */
    public JsonWriter value(JsonValue value) {
        if (value instanceof JsonString text) {
            return string(text.value());
        } else if (value instanceof JsonNumber number) {
            return number(number.value());
        } else if (value instanceof JsonBoolean flag) {
            return bool(flag.value());
        } else if (value instanceof JsonObject object) {
            beginObject();
            object.members().forEach((name, member) -> name(name).value(member));
            return endObject();
        } else if (value instanceof JsonArray array) {
            beginArray();
            array.forEach(this::value);
            return endArray();
        }
        return nullValue();
    }

    /**
     * Writes a tree so that equal values have equal texts: the members of objects by their names,
     * and numbers without zeros at their end.
     */
    public JsonWriter canonical(JsonValue value) {
        switch (value) {
            case JsonObject object -> {
                beginObject();
                new TreeMap<>(object.members())
                        .forEach((name, member) -> name(name).canonical(member));
                endObject();
            }
            case JsonArray array -> {
                beginArray();
                array.forEach(this::canonical);
                endArray();
            }
            case JsonNumber number -> number(number.value().stripTrailingZeros());
            default -> value(value);
        }
        return this;
    }

    /**
     * Writes an element of an array as {@code write} does, and removes it again if an earlier one
     * had the same value.
     *
     * @param written the canonical texts of the earlier elements: strings, since a table keeps
     *     those with one hash in an order
     */
    void distinct(Runnable write, Set<String> written) {
        int mark = buffer.size();
        int start = commaDue ? mark + 1 : mark;
        write.run();
        try (JsonReader reader = buffer.from(start).reader()) {
            JsonValue value = reader.value(new Reading(false, false, false, null));
            if (!written.add(new JsonWriter().canonical(value).finish().toJson())) {
                buffer.cut(mark);
            }
        }
    }

    /**
     * Ends the text and returns it; the writer is used up.
     *
     * @throws IllegalStateException if an object or array that was begun has not ended
     */
    public RawJson finish() {
        if (depth != 0) {
            throw new IllegalStateException("objects and arrays that have not ended: " + depth);
        }
        return buffer.take();
    }

    /**
     * Ends the text and returns its bytes, as {@link #finish} does. If so many were expected, none
     * are copied.
     *
     * @throws IllegalStateException if an object or array that was begun has not ended
     */
    public byte[] toBytes() {
        return finish().owned();
    }
}
