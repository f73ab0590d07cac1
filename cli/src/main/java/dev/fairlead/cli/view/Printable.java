package dev.fairlead.cli.view;

/**
 * Makes text of a server fit to be printed: no character of it can steer a terminal, reorder what
 * stands around it or hide. Such characters are shown as their escapes ({@code \}{@code u001b}).
 * Everything that a server says passes here once, whether it goes to a terminal or a pipe, for a
 * pipe often ends in one.
 */
public final class Printable {
    private Printable() {}

    /** The text with its line breaks and tabs; a line may end with CR LF. */
    public static String text(String text) {
        return escaped(text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n"));
    }

    /** The text on one line: line breaks and tabs are blanks. */
    public static String line(String text) {
        return text(text).replace('\n', ' ').replace('\t', ' ').strip();
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
            if (isUnsafe(character)) {
                return at;
            }
            at += Character.charCount(character);
        }
        return at;
    }

    private static void escape(int character, StringBuilder escaped) {
        for (char unit : Character.toChars(character)) {
            escaped.append(String.format("\\u%04x", (int) unit));
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
            default -> false;
        };
    }

    /** Joiners of scripts and of emoji, and signs that are letters in all but name. */
    private static boolean isNeededForWriting(int character) {
        return character == 0x200C
                || character == 0x200D
                || character >= 0x0600 && character <= 0x0605
                || character == 0x06DD;
    }
}
