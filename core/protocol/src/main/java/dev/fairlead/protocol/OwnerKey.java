package dev.fairlead.protocol;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The text form of an {@link Owner}: its parts with {@code |} between them. Special characters of a
 * part are written as {@code %} and the four hexadecimal digits of each UTF-16 unit, so that halves
 * of surrogate pairs stay distinct and every database can store the text.
 */
final class OwnerKey {
    private static final String PLAIN = "-._~:/@";

    private OwnerKey() {}

    static String of(String... parts) {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) {
                key.append('|');
            }
            escape(parts[i], key);
        }
        return key.toString();
    }

    private static void escape(String part, StringBuilder key) {
        int plain = 0;
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (!isPlain(c)) {
                key.append(part, plain, i);
                key.append('%').append(HexFormat.of().withUpperCase().toHexDigits(c));
                plain = i + 1;
            }
        }
        key.append(part, plain, part.length());
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= '0' && c <= '9')
                || (c >= 'A' && c <= 'Z')
                || PLAIN.indexOf(c) >= 0;
    }

    /**
     * Returns the parts of a key, at least one.
     *
     * @throws IllegalArgumentException if {@link #of} does not give this text
     */
    static List<String> parts(String key) {
        List<String> parts = Arrays.stream(key.split("\\|", -1)).map(OwnerKey::unescaped).toList();
        if (!of(parts.toArray(String[]::new)).equals(key)) {
            throw new IllegalArgumentException("not the key of an owner");
        }
        return parts;
    }

    private static String unescaped(String part) {
        StringBuilder text = new StringBuilder(part.length());
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == '%' && i + 4 < part.length()) {
                text.append((char) HexFormat.fromHexDigits(part, i + 1, i + 5));
                i += 4;
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
