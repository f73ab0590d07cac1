package dev.fairlead.processor;

/**
 * The inline tags of a documentation comment, <code>{&#64;code …}</code> and the like, as plain
 * text.
 *
 * <p>Literal text must not be read as markup afterwards. Its special characters are therefore moved
 * to a private area of Unicode, and moved back by {@link #unprotect} at the end.
 */
final class InlineTags {
    private static final String SPECIAL = "<>&@";
    private static final char PRIVATE = '\uE000';

    private InlineTags() {}

    /** Replaces every inline tag by its text. */
    static String resolve(String markup) {
        StringBuilder text = new StringBuilder();
        int position = 0;
        while (position < markup.length()) {
            int open = markup.indexOf("{@", position);
            int close = open < 0 ? -1 : closing(markup, open);
            if (close < 0) {
                break;
            }
            text.append(markup, position, open).append(text(markup.substring(open + 2, close)));
            position = close + 1;
        }
        return text.append(markup.substring(position)).toString();
    }

    /** The brace that closes the one at this place; -1 if none does. */
    private static int closing(String markup, int open) {
        int depth = 0;
        for (int i = open; i < markup.length(); i++) {
            if (markup.charAt(i) == '{') {
                depth++;
            } else if (markup.charAt(i) == '}' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static String text(String tag) {
        int end = 0;
        while (end < tag.length() && Character.isLetter(tag.charAt(end))) {
            end++;
        }
        String content = tag.substring(end).strip();
        return switch (tag.substring(0, end)) {
            case "code", "literal" -> protect(content);
            case "link", "linkplain" -> link(content);
            case "return" -> "Returns " + resolve(content) + ".";
            case "index", "summary" -> resolve(content);
            default -> ""; // says nothing without the rest of the documentation
        };
    }

    /** The label of a link, or its target: {@code Book.title}. */
    private static String link(String content) {
        int parenthesis = content.indexOf(')');
        int blank = content.indexOf(' ', Math.max(parenthesis, 0));
        if (blank >= 0) {
            return resolve(content.substring(blank).strip());
        }
        String target = content.startsWith("#") ? content.substring(1) : content.replace('#', '.');
        return protect(target.substring(target.lastIndexOf('/') + 1));
    }

    private static String protect(String text) {
        StringBuilder moved = new StringBuilder(text);
        for (int i = 0; i < moved.length(); i++) {
            int special = SPECIAL.indexOf(moved.charAt(i));
            if (special >= 0) {
                moved.setCharAt(i, (char) (PRIVATE + special));
            }
        }
        return moved.toString();
    }

    /** Puts back the characters that were taken literally. */
    static String unprotect(String text) {
        String back = text;
        for (int i = 0; i < SPECIAL.length(); i++) {
            back = back.replace((char) (PRIVATE + i), SPECIAL.charAt(i));
        }
        return back;
    }
}
