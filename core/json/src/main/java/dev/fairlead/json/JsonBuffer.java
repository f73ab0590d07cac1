package dev.fairlead.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HexFormat;

/** The bytes of a text that is being written. For use by one thread. */
final class JsonBuffer {
    /** Texts up to this length are mostly ASCII, and are written without an array in between. */
    private static final int SHORT = 16;

    /** Room for the characters behind a piece, which are few as a rule. */
    private static final int ROOM = 64;

    private static final int MAX_SIZE = Integer.MAX_VALUE - 8;
    private static final HexFormat HEX = HexFormat.of();

    private byte[] bytes;
    private int size;

    /**
     * @param room which is replaced by a larger array once it is full
     */
    JsonBuffer(byte[] room) {
        bytes = room;
    }

    /** Makes room for a piece, at least twice as much as there was. */
    private void reserve(long length) {
        long needed = size + length;
        if (needed > bytes.length) {
            if (needed > MAX_SIZE) {
                throw new JsonException("the value has more than " + MAX_SIZE + " bytes");
            }
            long next = Math.max(needed + ROOM, 2L * bytes.length);
            bytes = Arrays.copyOf(bytes, (int) Math.min(next, MAX_SIZE));
        }
    }

    /** Adds a character of ASCII. */
    void add(char ascii) {
        reserve(1);
        bytes[size++] = (byte) ascii;
    }

    /** Adds a text of ASCII as it is. */
    @SuppressWarnings("deprecation") // cuts characters to bytes, which is right for ASCII
    void add(String ascii) {
        int length = ascii.length();
        reserve(length);
        ascii.getBytes(0, length, bytes, size);
        size += length;
    }

    /**
     * Adds JSON text with a blank for each line end, which can only stand between its tokens, where
     * a blank does as well.
     */
    void addOnOneLine(byte[] json, int from, int length) {
        add(json, from, length);
        for (char lineEnd : new char[] {'\n', '\r'}) {
            int i = EightBytes.indexOf(lineEnd, bytes, size - length, size);
            while (i < size) {
                bytes[i] = ' ';
                i = EightBytes.indexOf(lineEnd, bytes, i + 1, size);
            }
        }
    }

    /** Adds bytes as they are. */
    void add(byte[] piece, int from, int length) {
        reserve(length);
        System.arraycopy(piece, from, bytes, size, length);
        size += length;
    }

    /** Adds a text in quotes, with escapes where JSON asks for them. */
    void addQuoted(String value) {
        if (value.length() <= SHORT && addQuotedPlain(value)) {
            return;
        }
        byte[] utf8 = value.getBytes(UTF_8);
        if (hasLoneSurrogate(value, utf8)) {
            addQuotedWithLoneSurrogates(value);
        } else {
            addQuoted(utf8);
        }
    }

    /**
     * Adds a text of ASCII without escapes; returns false, with nothing added, if it is not one.
     */
    private boolean addQuotedPlain(String value) {
        int length = value.length();
        reserve(length + 2L);
        int start = size + 1;
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (c >= 0x80 || EightBytes.isSpecial((byte) c)) {
                return false;
            }
            bytes[start + i] = (byte) c;
        }
        bytes[size] = '"';
        bytes[start + length] = '"';
        size += length + 2;
        return true;
    }

    private void addQuoted(byte[] utf8) {
        reserve(utf8.length + 2L);
        bytes[size++] = '"';
        int start = 0;
        int stop = EightBytes.special(utf8, 0, utf8.length);
        while (stop < utf8.length) {
            add(utf8, start, stop - start);
            addEscape(utf8[stop]);
            start = stop + 1;
            stop = EightBytes.special(utf8, start, utf8.length);
        }
        add(utf8, start, stop - start);
        add('"');
    }

    private void addEscape(byte special) {
        switch (special) {
            case '"' -> add("\\\"");
            case '\\' -> add("\\\\");
            case '\b' -> add("\\b");
            case '\f' -> add("\\f");
            case '\n' -> add("\\n");
            case '\r' -> add("\\r");
            case '\t' -> add("\\t");
            default -> add("\\u" + HEX.withUpperCase().toHexDigits((char) special));
        }
    }

    /** Whether a text has half a surrogate pair, which its UTF-8 has as a question mark. */
    private static boolean hasLoneSurrogate(String value, byte[] utf8) {
        return EightBytes.indexOf('?', utf8, 0, utf8.length) < utf8.length
                && hasLoneSurrogate(value);
    }

    /** Whether a text has half a surrogate pair, for which UTF-8 has no form. */
    static boolean hasLoneSurrogate(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                if (!isPair(value, i)) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static boolean isPair(String value, int index) {
        return index + 1 < value.length()
                && Character.isSurrogatePair(value.charAt(index), value.charAt(index + 1));
    }

    /** Half a surrogate pair is legal in JSON only as an escape. */
    private void addQuotedWithLoneSurrogates(String value) {
        StringBuilder json = new StringBuilder(value.length() + ROOM).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isSurrogate(c) && isPair(value, i)) {
                json.append(c).append(value.charAt(++i));
            } else if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                json.append("\\u").append(HEX.toHexDigits(c));
            } else {
                json.append(c);
            }
        }
        byte[] utf8 = json.append('"').toString().getBytes(UTF_8);
        add(utf8, 0, utf8.length);
    }

    int size() {
        return size;
    }

    /** Returns the text from an index on, as it is before more is added. */
    RawJson from(int index) {
        return new RawJson(bytes, index, size - index, MemberIndex.NONE);
    }

    /** Removes the text from an index on. */
    void cut(int index) {
        size = index;
    }

    /** Returns the text, and keeps its array: nothing may be added behind it. */
    RawJson take() {
        return RawJson.written(bytes, size);
    }
}
