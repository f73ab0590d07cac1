package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * JSON text that was found to be well-formed but not taken apart: the parameters of a request until
 * its method is known, a result until its receiver asks. An immutable slice of UTF-8 bytes.
 */
public final class RawJson {
    /** The text <code>{}</code>. */
    public static final RawJson EMPTY_OBJECT = written("{}".getBytes(StandardCharsets.UTF_8), 2);

    private final byte[] bytes;
    private final int offset;
    private final int length;
    private final MemberIndex index;
    private final boolean isOnOneLine; // false where unknown

    /**
     * A part of bytes that were read.
     *
     * @param index the members, so that they are found, and objects and arrays among them passed
     *     over, without a look: the arguments of a call until its tool is known
     */
    RawJson(byte[] bytes, int offset, int length, MemberIndex index) {
        this(bytes, offset, length, index, false);
    }

    private RawJson(byte[] bytes, int offset, int length, MemberIndex index, boolean isOnOneLine) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        this.index = index;
        this.isOnOneLine = isOnOneLine;
    }

    /** The first bytes of this array, which a {@link JsonWriter} wrote. */
    static RawJson written(byte[] bytes, int length) {
        return new RawJson(bytes, 0, length, MemberIndex.NONE, true);
    }

    /**
     * Checks that a text is exactly one JSON value and keeps it.
     *
     * @throws JsonException if it is not
     */
    public static RawJson parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Checks that these bytes are UTF-8 and exactly one JSON value, and keeps them. The array must
     * not be changed afterwards.
     *
     * @throws JsonException if they are not
     */
    public static RawJson parse(byte[] utf8) {
        try (JsonReader reader = new JsonReader(utf8)) {
            RawJson raw = reader.raw();
            reader.end();
            return raw;
        }
    }

    /** The text of a value. */
    public static RawJson of(JsonValue value) {
        Objects.requireNonNull(value, "value");
        JsonWriter writer = new JsonWriter();
        writer.value(value);
        return writer.finish();
    }

    /** Reads the text into a tree. */
    public JsonValue value() {
        try (JsonReader reader = reader()) {
            return reader.value();
        }
    }

    /** A reader at the start of this text. */
    public JsonReader reader() {
        return new JsonReader(new Source(bytes, offset, offset + length), index);
    }

    /** Whether the text is an object. */
    public boolean isObject() {
        return bytes[offset] == '{';
    }

    /** Whether the text is a string. */
    public boolean isString() {
        return bytes[offset] == '"';
    }

    /**
     * Returns the member of an object with this name as it stands, the first if there are several;
     * null if there is none, or the text is not an object.
     *
     * @throws JsonException if the text before it is malformed
     */
    public @Nullable RawJson member(String name) {
        if (!isObject()) {
            return null;
        }
        if (index.isComplete()) {
            int member = index.find(name, bytes, offset);
            return member == MemberIndex.ABSENT ? null : part(index.from(member), index.to(member));
        }
        try (JsonReader reader = reader()) {
            return isAt(name, reader) ? reader.raw() : null;
        }
    }

    /**
     * Returns the member with the second name of the member with the first, as {@link
     * #member(String)} would one after the other.
     *
     * @throws JsonException if the text before it is malformed
     */
    public @Nullable RawJson member(String name, String nested) {
        if (index.isComplete()) {
            RawJson member = member(name);
            return member == null ? null : member.member(nested);
        }
        if (!isObject()) {
            return null;
        }
        try (JsonReader reader = reader()) {
            boolean found =
                    isAt(name, reader)
                            && reader.kind() == JsonReader.Kind.OBJECT
                            && isAt(nested, reader);
            return found ? reader.raw() : null;
        }
    }

    private RawJson part(int from, int to) {
        return new RawJson(bytes, offset + from, to - from, MemberIndex.NONE, isOnOneLine);
    }

    /** Returns the text that a JSON string contains; null if this is not a string. */
    public @Nullable String string() {
        if (!isString()) {
            return null;
        }
        var strings = new StringScanner(new Source(bytes, offset, offset + length), true);
        strings.pass(offset);
        return strings.text();
    }

    /**
     * Returns a JSON string as it stands, escapes included, behind a prefix and without quotes;
     * null if this is not a string that begins with it.
     *
     * @param prefix in ASCII
     */
    public byte @Nullable [] stringAfter(String prefix) {
        byte[] start = prefix.getBytes(StandardCharsets.UTF_8);
        int from = offset + 1 + start.length;
        int to = offset + length - 1;
        return isString()
                        && from <= to
                        && Arrays.equals(bytes, offset + 1, from, start, 0, start.length)
                ? Arrays.copyOfRange(bytes, from, to)
                : null;
    }

    /** Steps to the member of the object at hand; false if there is none, at its end. */
    private static boolean isAt(String name, JsonReader reader) {
        reader.beginObject();
        for (String member = reader.nextName(); member != null; member = reader.nextName()) {
            if (member.equals(name)) {
                return true;
            }
            reader.skip();
        }
        return false;
    }

    /** The length of the text in bytes. */
    public int size() {
        return length;
    }

    /** A copy of the text. */
    public byte[] toBytes() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** The bytes of a text that is used nowhere else, copied only where the array has more. */
    byte[] owned() {
        return length == bytes.length ? bytes : toBytes();
    }

    /**
     * Copies the text into an array, from an index on.
     *
     * @throws IndexOutOfBoundsException if the array has no room for it
     */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, offset, target, at, length);
    }

    /**
     * Returns the same text in bytes of its own, so that keeping it does not keep the message that
     * it is part of.
     */
    public RawJson detached() {
        if (length == bytes.length) {
            return this;
        }
        return new RawJson(toBytes(), 0, length, index, isOnOneLine);
    }

    /** The text. */
    public String toJson() {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }

    /** Writes the text on one line. */
    void writeTo(JsonBuffer out) {
        if (isOnOneLine) {
            out.add(bytes, offset, length);
        } else {
            out.addOnOneLine(bytes, offset, length);
        }
    }

    /** Returns whether the text, an object, has members. */
    boolean hasMembers() {
        int at = offset + 1;
        while (bytes[at] <= ' ') {
            at++;
        }
        return bytes[at] != '}';
    }

    /** Writes the text, an object with members, on one line and without its braces. */
    void writeMembersTo(JsonBuffer out) {
        if (isOnOneLine) {
            out.add(bytes, offset + 1, length - 2);
        } else {
            out.addOnOneLine(bytes, offset + 1, length - 2);
        }
    }

    byte[] array() {
        return bytes;
    }

    int offset() {
        return offset;
    }

    /**
     * Texts are equal if their bytes are, so with the same spaces and the same order of members.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RawJson json
                && Arrays.equals(
                        bytes,
                        offset,
                        offset + length,
                        json.bytes,
                        json.offset,
                        json.offset + json.length);
    }

    @Override
    public int hashCode() {
        long hash = length;
        int i = offset;
        for (int end = offset + length; i <= end - Long.BYTES; i += Long.BYTES) {
            hash = (hash ^ EightBytes.at(bytes, i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> Integer.SIZE;
        }
        for (; i < offset + length; i++) {
            hash = hash * 31 + bytes[i];
        }
        return Long.hashCode(hash);
    }

    @Override
    public String toString() {
        return toJson();
    }
}
