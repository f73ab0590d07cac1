package dev.fairlead.protocol;

import org.jspecify.annotations.Nullable;

import java.util.HexFormat;

/**
 * Makes text of a peer safe to print or to log: no character of the result can control a terminal,
 * reorder the text around it or be invisible. Such characters are replaced by their escapes ({@code
 * \}{@code u001b}): control characters except line feed and tab, characters that set the direction
 * of writing, invisible characters, and halves of surrogate pairs. Letters of all scripts and emoji
 * stay as they are.
 *
 * <p>Fairlead's own log messages and the command line use it. Use it for text of peers that your
 * own program prints or logs, such as {@link dev.fairlead.jsonrpc.JsonRpcException#getMessage()}:
 * messages and results are handed to you as the peer sent them.
 *
 * <p>All methods are safe for use by several threads.
 */
public final class Printable {
    /** The number of characters that {@link #excerpt} keeps. */
    public static final int MAX_EXCERPT = 1_000;

    private Printable() {}

    /** Returns the text with its line feeds and tabs; CR LF becomes a line feed. */
    public static String text(String text) {
        return escaped(text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n"));
    }

    /**
     * Returns the text on one line: line feeds and tabs become spaces, spaces around it are cut.
     */
    public static String line(String text) {
        return text(text).replace('\n', ' ').replace('\t', ' ').strip();
    }

    /**
     * Returns the text on one line for a log entry. Text of more than {@value #MAX_EXCERPT}
     * characters is cut, and the number of missing characters is appended.
     *
     * @param text null gives {@code null} as text, as in string concatenation
     */
    public static String excerpt(@Nullable String text) {
        if (text == null) {
            return "null";
        }
        if (text.length() <= MAX_EXCERPT) {
            return line(text);
        }
        int end =
                Character.isHighSurrogate(text.charAt(MAX_EXCERPT - 1))
                        ? MAX_EXCERPT - 1
                        : MAX_EXCERPT;
        return line(text.substring(0, end)) + " (" + (text.length() - end) + " more characters)";
    }

    private static String escaped(String text) {
        int first = firstUnsafe(text, 0);
        if (first == text.length()) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        int from = 0;
        for (int at = first; at < text.length(); at = firstUnsafe(text, from)) {
            escaped.append(text, from, at);
            int character = text.codePointAt(at);
            from = at + Character.charCount(character);
            escape(character, escaped);
        }
        return escaped.append(text, from, text.length()).toString();
    }

    private static int firstUnsafe(String text, int from) {
        int at = from;
        while (at < text.length()) {
            int character = text.codePointAt(at);
            if (isUnsafe(character) || isHiddenIn(text, at, character)) {
                return at;
            }
            at += Character.charCount(character);
        }
        return at;
    }

    private static void escape(int character, StringBuilder escaped) {
        for (char unit : Character.toChars(character)) {
            escaped.append("\\u" + HexFormat.of().toHexDigits(unit));
        }
    }

    private static boolean isUnsafe(int character) {
        if (character >= ' ' && character < 0x7F || character == '\n' || character == '\t') {
            return false;
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.SURROGATE, // half of a pair
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            case Character.FORMAT -> !isNeededForWriting(character);
            default -> isInvisible(character);
        };
    }

    /**
     * Returns whether a character is drawn as nothing: Unicode lets programs ignore it
     * (Default_Ignorable_Code_Point).
     */
    private static boolean isInvisible(int character) {
        return character == 0x034F // joins graphemes
                || character == 0x115F // fillers of Hangul
                || character == 0x1160
                || character == 0x3164
                || character == 0xFFA0
                || character == 0x17B4 // vowels of Khmer
                || character == 0x17B5
                || character == 0x2065
                || character >= 0xFFF0 && character <= 0xFFF8
                || character >= 0xE0000 && character <= 0xE0FFF && !isVariation(character);
    }

    /**
     * Returns whether a joiner or variation selector follows no character that it can change. Such
     * characters are visible to programs only, for which they can encode any text.
     */
    private static boolean isHiddenIn(String text, int at, int character) {
        boolean variation = isVariation(character);
        if (!variation && !isJoiner(character)) {
            return false;
        }
        int before = at == 0 ? ' ' : text.codePointBefore(at);
        return before <= ' ' || isJoiner(before) || variation && isVariation(before);
    }

    private static boolean isJoiner(int character) {
        return character == 0x200C || character == 0x200D;
    }

    private static boolean isVariation(int character) {
        return character >= 0xFE00 && character <= 0xFE0F
                || character >= 0xE0100 && character <= 0xE01EF
                || character >= 0x180B && character <= 0x180D
                || character == 0x180F;
    }

    /**
     * Returns whether a character is a joiner of scripts or emoji, or a sign that is a letter in
     * all but name.
     */
    private static boolean isNeededForWriting(int character) {
        return isJoiner(character)
                || character >= 0x0600 && character <= 0x0605
                || character == 0x06DD;
    }
}
