package dev.fairlead.console.watch;

import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

/** Texts of peers in the form for pages: of bounded length, without characters that mislead. */
final class Texts {
    private static final int MAX = 160;

    private Texts() {}

    /** Returns the beginning of a text as it is; for records, which must not keep long texts. */
    static String start(String text) {
        return text.length() <= MAX ? text : text.substring(0, MAX);
    }

    /** Returns the beginning of a text on one line. */
    static String shortened(@Nullable String text) {
        return shortened(text, MAX);
    }

    /** Returns at most this number of characters of a text on one line. */
    static String shortened(@Nullable String text, int max) {
        if (text == null) {
            return "";
        }
        int end = Math.min(max, text.length());
        String line = Printable.line(text.substring(0, end));
        return text.length() > end ? line + "…" : line;
    }
}
