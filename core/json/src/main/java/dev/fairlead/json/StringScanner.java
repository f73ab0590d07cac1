package dev.fairlead.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Finds the end of strings, and decodes the one found last. For use by one thread. */
final class StringScanner {
    private static final int ESCAPE_OF_CODE = 6; // characters of an escape such as \{@code u0041}

    private final Source source;
    private final byte[] bytes;
    private final int end;
    private final long checked; // the bits that mark bytes to be checked for UTF-8

    private int from; // behind the opening quote of the string found last
    private int to; // its closing quote
    private boolean isEscaped;
    private boolean isAscii;

    /**
     * A scanner of these bytes.
     *
     * @param isUtf8 whether they are known to be UTF-8, and need not be checked
     */
    StringScanner(Source source, boolean isUtf8) {
        this.source = source;
        bytes = source.bytes();
        end = source.end();
        checked = isUtf8 ? 0 : EightBytes.HIGHS;
    }

    /** Passes over the string with its quote at an index; returns the index behind it. */
    int pass(int quote) {
        from = quote + 1;
        isEscaped = false;
        isAscii = true;
        int i = plain(from);
        while (i < end && bytes[i] != '"') {
            if (bytes[i] == '\\') {
                isEscaped = true;
                i = plain(escape(i));
            } else if (bytes[i] < 0) {
                i = plain(characters(i));
            } else {
                throw source.expected(i, "an escape, not a control character");
            }
        }
        if (i >= end) {
            throw source.expected(end, "a quote at the end of a string");
        }
        to = i;
        return i + 1;
    }

    /**
     * Passes over bytes that need no look; returns the index of the first quote, backslash, control
     * character or byte to be checked, or {@code end}.
     */
    private int plain(int start) {
        int i = start;
        long seen = 0;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            long word = EightBytes.at(bytes, i);
            seen |= word;
            long stops = EightBytes.specials(word) | (word & checked);
            if (stops != 0) {
                isAscii &= (seen & EightBytes.HIGHS) == 0; // more bytes may be seen than passed
                return i + EightBytes.first(stops);
            }
        }
        for (; i < end && !EightBytes.isSpecial(bytes[i]); i++) {
            seen |= bytes[i];
            if ((bytes[i] & checked) < 0) {
                break;
            }
        }
        isAscii &= (seen & EightBytes.HIGHS) == 0;
        return i;
    }

    /** Passes over characters beyond ASCII. */
    private int characters(int start) {
        int i = start;
        while (i < end && bytes[i] < 0) {
            int length = Utf8.length(bytes, i, end);
            if (length == 0) {
                throw source.notUtf8(i);
            }
            i += length;
        }
        return i;
    }

    /** Passes over an escape. */
    private int escape(int backslash) {
        int i = backslash + 1;
        if (i < end) {
            switch (bytes[i]) {
                case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                    return i + 1;
                }
                case 'u' -> {
                    return code(i + 1);
                }
                default -> {}
            }
        }
        throw source.expected(i, "an escape such as \\n or \\u000a");
    }

    private int code(int start) {
        for (int i = start; i < start + 4; i++) {
            if (i >= end || hex(bytes[i]) < 0) {
                throw source.expected(i, "four hexadecimal digits");
            }
        }
        return start + 4;
    }

    /** Returns the value of a digit of ASCII, or -1; no other digits count in JSON. */
    private static int hex(byte digit) {
        return digit < 0 ? -1 : Character.digit(digit, 16);
    }

    /** Where the string found last begins, behind its opening quote. */
    int from() {
        return from;
    }

    /** Where the string found last ends: its closing quote. */
    int to() {
        return to;
    }

    /** Whether the string found last is ASCII without escapes. */
    boolean isPlain() {
        return isAscii && !isEscaped;
    }

    /** Returns the string found last. */
    String text() {
        return isEscaped ? unescaped() : text(from, to);
    }

    /** Returns whether the string found last is this one, which is ASCII. */
    boolean isText(String ascii) {
        return isEscaped ? unescaped().equals(ascii) : Utf8.isText(ascii, bytes, from, to);
    }

    private String text(int start, int stop) {
        return new String(bytes, start, stop - start, isAscii ? ISO_8859_1 : UTF_8);
    }

    private String unescaped() {
        StringBuilder text = new StringBuilder(to - from);
        int start = from;
        int backslash = EightBytes.indexOf('\\', bytes, start, to);
        while (backslash < to) {
            if (start < backslash) {
                text.append(text(start, backslash));
            }
            text.append(escaped(backslash + 1));
            start = backslash + (bytes[backslash + 1] == 'u' ? ESCAPE_OF_CODE : 2);
            backslash = EightBytes.indexOf('\\', bytes, start, to);
        }
        return text.append(text(start, to)).toString();
    }

    /** Returns the character that an escape stands for. */
    private char escaped(int index) {
        return switch (bytes[index]) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int code = 0;
                for (int i = index + 1; i <= index + 4; i++) {
                    code = code << 4 | hex(bytes[i]);
                }
                yield (char) code;
            }
            default -> (char) bytes[index]; // itself
        };
    }

    /** Returns the string found last, which is the name of a member. */
    String name(MemberNames names) {
        if (isEscaped) {
            String name = unescaped();
            if (JsonBuffer.hasLoneSurrogate(name)) {
                throw source.expected(from, "a name without half a surrogate pair");
            }
            return name;
        }
        String known = names.find(bytes, from, to);
        return known == null ? names.learn(text(from, to), bytes, from, to) : known;
    }

    /** Checks the string found last, which is a name that is not used. */
    void checkName() {
        if (isEscaped && JsonBuffer.hasLoneSurrogate(unescaped())) {
            throw source.expected(from, "a name without half a surrogate pair");
        }
    }
}
