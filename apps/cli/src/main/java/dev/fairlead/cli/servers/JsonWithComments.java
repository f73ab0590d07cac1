package dev.fairlead.cli.servers;

/**
 * JSON as editors and hosts let people write it: with comments, and commas behind the last element.
 * Both become blanks, so that the places in messages stay those of the file.
 */
public final class JsonWithComments {
    private final String text;
    private final char[] plain;
    private boolean isOpen; // a comment does not end, so that no later one does

    private JsonWithComments(String text) {
        this.text = text;
        this.plain = text.toCharArray();
    }

    /** Returns the text as JSON; other text remains for the parser to refuse. */
    public static String plain(String text) {
        return new JsonWithComments(text).plain();
    }

    private String plain() {
        int comma = -1; // that nothing but blanks and comments has followed
        char before = 0; // the character before the current place, blanks and comments aside
        int at = 0;
        while (at < plain.length) {
            char c = plain[at];
            int end = end(at);
            if (c == '/' && end > at + 1) {
                blank(at, end);
            } else if (!Character.isWhitespace(c)) {
                if ((c == '}' || c == ']') && comma >= 0) {
                    plain[comma] = ' ';
                }
                // a comma without an element before it is a mistake
                comma = c == ',' && "{[,:".indexOf(before) < 0 ? at : -1;
                before = c;
            }
            at = end;
        }
        return new String(plain);
    }

    /** Returns the end of the string, the comment or the character that begins here. */
    private int end(int start) {
        if (plain[start] == '"') {
            return endOfString(start);
        }
        if (text.startsWith("//", start)) {
            int end = text.indexOf('\n', start);
            return end < 0 ? plain.length : end;
        }
        if (!isOpen && text.startsWith("/*", start)) {
            int end = text.indexOf("*/", start + 2);
            isOpen = end < 0;
            return isOpen ? start + 1 : end + 2;
        }
        return start + 1;
    }

    private int endOfString(int start) {
        for (int at = start + 1; at < plain.length; at++) {
            if (plain[at] == '"') {
                return at + 1;
            }
            if (plain[at] == '\\') {
                at++;
            }
        }
        return plain.length;
    }

    private void blank(int start, int end) {
        for (int at = start; at < end; at++) {
            if (plain[at] != '\n' && plain[at] != '\r') {
                plain[at] = ' ';
            }
        }
    }
}
