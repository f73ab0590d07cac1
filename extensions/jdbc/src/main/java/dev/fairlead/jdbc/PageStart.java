package dev.fairlead.jdbc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Places in a list as opaque text that every node understands, also after a restart. A checksum at
 * its end detects texts that {@link #write} did not make; it is no secret, since a place gives a
 * caller no access to the tasks of others.
 */
final class PageStart {
    private static final Pattern FORM = Pattern.compile("([0-9a-f]{1,15})-[0-9a-f]{16}");

    private PageStart() {}

    static String write(long place) {
        String digits = Long.toHexString(place);
        return digits + '-' + Texts.digest("page " + digits).substring(0, 16);
    }

    /**
     * The place that a text stands for.
     *
     * @throws IllegalArgumentException if {@link #write} does not give this text
     */
    static long read(String text) {
        Matcher form = FORM.matcher(text);
        if (form.matches()) {
            long place = Long.parseLong(form.group(1), 16);
            if (write(place).equals(text)) {
                return place;
            }
        }
        throw new IllegalArgumentException("not the start of a page");
    }
}
