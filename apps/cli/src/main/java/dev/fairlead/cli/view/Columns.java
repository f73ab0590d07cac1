package dev.fairlead.cli.view;

import org.jline.utils.WCWidth;

/** How wide text is on a terminal, in columns. The text must be {@link Printable}. */
final class Columns {
    private Columns() {}

    static int of(String text) {
        int columns = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            columns += of(text.codePointAt(i));
        }
        return columns;
    }

    static int of(int character) {
        return Math.max(0, WCWidth.wcwidth(character));
    }

    /** The text with blanks behind it up to this width. */
    static String pad(String text, int columns) {
        return text + " ".repeat(Math.max(0, columns - of(text)));
    }

    /** The text, cut to this width with a mark that it was longer. */
    static String cut(String text, int columns, Screen screen) {
        if (of(text) <= columns) {
            return text;
        }
        String mark = screen.unicode() ? "…" : "...";
        int end = 0;
        int used = of(mark);
        while (used + of(text.codePointAt(end)) <= columns) {
            used += of(text.codePointAt(end));
            end += Character.charCount(text.codePointAt(end));
        }
        return text.substring(0, end) + mark;
    }
}
