package dev.fairlead.jdbc;

import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.util.HexFormat;

/**
 * Any text in a form that databases keep: PostgreSQL refuses NUL, and halves of surrogate pairs
 * have no UTF-8. Those stand as a backslash and four hexadecimal digits, a backslash as two; all
 * else, and so nearly every text, stands as it is.
 */
final class Texts {
    /** Indexes take no longer keys. */
    private static final int LONGEST_KEY = 500;

    private Texts() {}

    static String encode(String text) {
        int first = firstSpecial(text);
        if (first < 0) {
            return text;
        }
        StringBuilder encoded = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                encoded.append("\\\\");
            } else if (isSpecial(text, i)) {
                encoded.append('\\').append(HexFormat.of().toHexDigits(c));
            } else {
                encoded.append(c);
            }
        }
        return encoded.toString();
    }

    static @Nullable String encodeOrNull(@Nullable String text) {
        return text == null ? null : encode(text);
    }

    static String decode(String encoded) {
        int at = encoded.indexOf('\\');
        if (at < 0) {
            return encoded;
        }
        StringBuilder text = new StringBuilder(encoded.length()).append(encoded, 0, at);
        while (at < encoded.length()) {
            char c = encoded.charAt(at++);
            if (c != '\\') {
                text.append(c);
            } else if (encoded.charAt(at) == '\\') {
                text.append('\\');
                at++;
            } else {
                text.append((char) HexFormat.fromHexDigits(encoded, at, at + 4));
                at += 4;
            }
        }
        return text.toString();
    }

    static @Nullable String decodeOrNull(@Nullable String encoded) {
        return encoded == null ? null : decode(encoded);
    }

    /** A text by which things are found: the text itself, or its digest where it is long. */
    static String key(String text) {
        String encoded = encode(text);
        return encoded.length() <= LONGEST_KEY ? encoded : "\\#" + digest(encoded);
    }

    /** The SHA-256 of a text. */
    static String digest(String text) {
        return Sha256.hex(encode(text));
    }

    private static int firstSpecial(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isSpecial(text, i)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isSpecial(String text, int at) {
        char c = text.charAt(at);
        if (c == '\\' || c == 0) {
            return true;
        }
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c)
                && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }
}
