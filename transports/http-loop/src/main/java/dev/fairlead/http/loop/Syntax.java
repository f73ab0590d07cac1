package dev.fairlead.http.loop;

/**
 * The characters of HTTP/1.1 messages.
 *
 * @spec https://www.rfc-editor.org/rfc/rfc9110 RFC 9110
 */
final class Syntax {
    private static final boolean[] TOKEN = new boolean[256];
    private static final boolean[] PATH = new boolean[256];

    static {
        alphanumeric(TOKEN);
        allow(TOKEN, "!#$%&'*+-.^_`|~");
        alphanumeric(PATH);
        allow(PATH, "-._~!$&'()*+,;=:@/%");
    }

    private Syntax() {}

    private static void alphanumeric(boolean[] table) {
        for (char c = 'a'; c <= 'z'; c++) {
            table[c] = true;
            table[c - 'a' + 'A'] = true;
        }
        for (char c = '0'; c <= '9'; c++) {
            table[c] = true;
        }
    }

    private static void allow(boolean[] table, String characters) {
        characters.chars().forEach(c -> table[c] = true);
    }

    /** Returns whether a character may be part of a method or of the name of a field. */
    static boolean isToken(int c) {
        return c >= 0 && c < 256 && TOKEN[c];
    }

    static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isToken(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** Returns whether a character may be part of a path. */
    static boolean isPath(int c) {
        return c >= 0 && c < 256 && PATH[c];
    }

    /** Returns whether a byte may be part of the value of a field. */
    static boolean isValue(int c) {
        return c >= ' ' ? c != 127 : c == '\t';
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /** The value of a hexadecimal digit; -1 if it is none. */
    static int hex(int c) {
        if (isDigit(c)) {
            return c - '0';
        }
        int lower = c | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }
}
