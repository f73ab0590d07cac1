package dev.fairlead.json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Writes one JSON value compactly into memory, on one line, nested at most {@link
 * JsonReader#MAX_DEPTH} levels deep. For use by one thread. The calls must make up one value: what
 * would not be JSON is refused or ends in text that is none.
 */
public final class JsonWriter {
    private static final JsonFactory FACTORY = JsonFactory.builder().build();

    /** A text of that many characters gets its place at once. */
    private static final int LONG = 1000;

    /** What may come after it, which is little as a rule. */
    private static final int ROOM = 64;

    private final Buffer buffer = new Buffer();
    private final JsonGenerator generator =
            FACTORY.createGenerator(ObjectWriteContext.empty(), buffer);

    private int depth;

    /** Hands out its array, so that what was written is not copied. */
    private static final class Buffer extends ByteArrayOutputStream {
        Buffer() {
            super(256);
        }

        /** Makes room at once, at least twice as much as there was. */
        void reserve(int length) {
            long needed = (long) count + length + ROOM;
            if (needed > buf.length && needed < Integer.MAX_VALUE / 2) {
                buf = Arrays.copyOf(buf, Math.max((int) needed, 2 * buf.length));
            }
        }

        RawJson take() {
            return RawJson.written(buf, count);
        }
    }

    /** Begins an object, whose members follow. */
    public JsonWriter beginObject() {
        deeper();
        generator.writeStartObject();
        return this;
    }

    private void deeper() {
        if (++depth > JsonReader.MAX_DEPTH) {
            throw new JsonException(
                    "the value is nested more than " + JsonReader.MAX_DEPTH + " levels deep");
        }
    }

    /** Ends the object begun last. */
    public JsonWriter endObject() {
        generator.writeEndObject();
        depth--;
        return this;
    }

    /** Begins an array, whose elements follow. */
    public JsonWriter beginArray() {
        deeper();
        generator.writeStartArray();
        return this;
    }

    /** Ends the array begun last. */
    public JsonWriter endArray() {
        generator.writeEndArray();
        depth--;
        return this;
    }

    /**
     * Writes the name of the member whose value comes next.
     *
     * @throws IllegalArgumentException if the name has half a surrogate pair, which readers refuse
     *     even as an escape
     */
    public JsonWriter name(String name) {
        if (hasLoneSurrogate(name)) {
            throw new IllegalArgumentException("the name of a member has half a surrogate pair");
        }
        generator.writeName(name);
        return this;
    }

    /** Writes a string. */
    public JsonWriter string(String value) {
        if (hasLoneSurrogate(value)) {
            writeEscaped(value);
        } else {
            reserve(value.length());
            generator.writeString(value);
        }
        return this;
    }

    private void reserve(int length) {
        if (length >= LONG) {
            generator.flush(); // what stands before it
            buffer.reserve(length);
        }
    }

    /** Writes an integer. */
    public JsonWriter number(long value) {
        generator.writeNumber(value);
        return this;
    }

    /**
     * Writes a number with the fewest digits that tell it apart.
     *
     * @throws IllegalArgumentException if the value is NaN or infinite, which JSON cannot say
     */
    public JsonWriter number(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("JSON has no number for " + value);
        }
        generator.writeNumber(value);
        return this;
    }

    /** Writes a number with the digits that it has. */
    public JsonWriter number(BigDecimal value) {
        generator.writeNumber(value.toString());
        return this;
    }

    /** Writes a boolean. */
    public JsonWriter bool(boolean value) {
        generator.writeBoolean(value);
        return this;
    }

    /** Writes null. */
    public JsonWriter nullValue() {
        generator.writeNull();
        return this;
    }

    /** Writes a text as it stands. */
    public JsonWriter raw(RawJson raw) {
        generator.writeRawValue(""); // the separator that is due here
        generator.flush();
        buffer.reserve(raw.size());
        raw.writeTo(buffer);
        return this;
    }

    /** Writes a tree. */
    public JsonWriter value(JsonValue value) {
        switch (value) {
            case JsonObject object -> {
                beginObject();
                object.members().forEach((name, member) -> name(name).value(member));
                endObject();
            }
            case JsonArray array -> {
                beginArray();
                array.forEach(this::value);
                endArray();
            }
            case JsonString text -> string(text.value());
            case JsonNumber number -> number(number.value());
            case JsonBoolean flag -> bool(flag.value());
            case JsonNull nothing -> nullValue();
        }
        return this;
    }

    /** Ends the text and gives it; the writer is used up. */
    public RawJson finish() {
        generator.close();
        return buffer.take();
    }

    private static boolean hasLoneSurrogate(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                if (!pairAt(value, i)) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static boolean pairAt(String value, int index) {
        return index + 1 < value.length()
                && Character.isSurrogatePair(value.charAt(index), value.charAt(index + 1));
    }

    /** Half a surrogate pair is legal in JSON only as an escape, and UTF-8 has no form for it. */
    private void writeEscaped(String value) {
        StringBuilder json = new StringBuilder(value.length() + 16).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isSurrogate(c) && pairAt(value, i)) {
                json.append(c).append(value.charAt(++i));
            } else if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        generator.writeRawValue(json.append('"').toString());
    }
}
