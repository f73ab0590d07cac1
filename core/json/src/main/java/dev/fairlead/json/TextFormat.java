package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A format of JSON Schema, checked as strictly as validators do that know nothing of Java. Each
 * check takes time in proportion to the text.
 *
 * @param expected the text in messages
 * @spec https://www.rfc-editor.org/rfc/rfc3339 Date and Time on the Internet
 * @spec https://www.rfc-editor.org/rfc/rfc3986 URI Generic Syntax
 */
record TextFormat(String expected, Predicate<String> fits) {
    private static final Map<String, TextFormat> BY_NAME = new HashMap<>();

    private static final String TIME =
            "([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\\.([0-9]{1,9})[0-9]*)?"
                    + "(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))";
    private static final Pattern FULL_TIME = Pattern.compile(TIME);
    private static final Pattern DATE_TIME =
            Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt](" + TIME + ")");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern DURATION =
            Pattern.compile(
                    "P(?!$)(?:[0-9]+W|(?:[0-9]+Y)?(?:[0-9]+M)?(?:[0-9]+D)?"
                            + "(?:T(?=[0-9])(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+S)?)?)");
    private static final Pattern UUID =
            Pattern.compile("[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}");
    private static final Pattern OCTETS =
            Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\\.(?!$)|$)){4}");
    private static final Pattern REGISTERED_NAME = Pattern.compile("[^\\[\\]@:]*(?::[0-9]*)?");
    private static final Pattern PORT = Pattern.compile(".*\\](?::[0-9]*)?");

    static {
        add(
                "date-time",
                "a date-time such as 2026-01-31T10:15:30Z",
                text -> dateTime(text) != null);
        add("date", "a date such as 2026-01-31", TextFormat::isDate);
        add("time", "a time such as 10:15:30Z", TextFormat::isTime);
        add("duration", "a duration such as PT1H30M", text -> DURATION.matcher(text).matches());
        add("uri", "a URI with a scheme", text -> isUri(text, true));
        add("uri-reference", "a URI or a relative reference", text -> isUri(text, false));
        add("uuid", "a UUID", text -> UUID.matcher(text).matches());
        add("email", "an e-mail address", TextFormat::isEmail);
        add("ipv4", "an IPv4 address", text -> OCTETS.matcher(text).matches());
        add("byte", "bytes in Base64", TextFormat::isBase64);
    }

    private static void add(String name, String expected, Predicate<String> fits) {
        BY_NAME.put(name, new TextFormat(expected, fits));
    }

    /** Returns the format of a name; null for one that only describes. */
    static @Nullable TextFormat named(String name) {
        return BY_NAME.get(name);
    }

    /**
     * Returns the date-time of a text; null if it is none of RFC 3339. The last second before a
     * leap second stands for it, digits behind nanoseconds are left out, and an offset that Java
     * does not have becomes UTC.
     */
    static @Nullable OffsetDateTime dateTime(String text) {
        Matcher parts = DATE_TIME.matcher(text);
        if (!parts.matches() || !isTime(parts.group(2))) {
            return null;
        }
        Matcher time = FULL_TIME.matcher(parts.group(2));
        LocalDate date;
        try {
            date = LocalDate.parse(parts.group(1));
        } catch (DateTimeException e) {
            return null;
        }
        if (!time.matches()) {
            throw new AssertionError("a time is a time");
        }
        String fraction = time.group(4) == null ? "" : time.group(4);
        LocalDateTime local =
                date.atTime(
                        number(time, 1),
                        number(time, 2),
                        Math.min(59, number(time, 3)),
                        Integer.parseInt((fraction + "000000000").substring(0, 9)));
        int offset = offset(time);
        return Math.abs(offset) <= ZoneOffset.MAX.getTotalSeconds()
                ? local.atOffset(ZoneOffset.ofTotalSeconds(offset))
                : local.minusSeconds(offset).atOffset(ZoneOffset.UTC);
    }

    private static int number(Matcher time, int group) {
        return Integer.parseInt(time.group(group));
    }

    /** Returns the seconds that a time is ahead of UTC. */
    private static int offset(Matcher time) {
        String sign = time.group(5);
        if (sign == null) {
            return 0;
        }
        int seconds = 3_600 * number(time, 6) + 60 * number(time, 7);
        return sign.equals("-") ? -seconds : seconds;
    }

    private static boolean isTime(String text) {
        Matcher time = FULL_TIME.matcher(text);
        if (!time.matches() || number(time, 1) > 23 || number(time, 2) > 59) {
            return false;
        }
        if (time.group(5) != null && (number(time, 6) > 23 || number(time, 7) > 59)) {
            return false;
        }
        int minutes = 60 * number(time, 1) + number(time, 2) - offset(time) / 60;
        boolean beforeMidnight = Math.floorMod(minutes, 24 * 60) == 24 * 60 - 1;
        return number(time, 3) < 60 || (number(time, 3) == 60 && beforeMidnight);
    }

    private static boolean isDate(String text) {
        try {
            return DATE.matcher(text).matches() && LocalDate.parse(text) != null;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** Java takes letters beyond ASCII, brackets in queries, zones of addresses and odd hosts. */
    private static boolean isUri(String text, boolean absolute) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            return false;
        }
        String authority = uri.getRawAuthority();
        int brackets = authority != null && uri.getHost() != null ? authority.indexOf('[') : -1;
        long inHost = brackets < 0 ? 0 : 2;
        return (uri.isAbsolute() || !absolute)
                && text.chars().allMatch(c -> c < 0x80)
                && text.chars().filter(c -> c == '[' || c == ']').count() == inHost
                && (authority == null || isAuthority(authority, brackets));
    }

    private static boolean isAuthority(String authority, int brackets) {
        return brackets < 0
                ? REGISTERED_NAME.matcher(authority.substring(authority.indexOf('@') + 1)).matches()
                : authority.indexOf('%', brackets) < 0 && PORT.matcher(authority).matches();
    }

    private static boolean isEmail(String text) {
        int at = text.indexOf('@');
        return at > 0
                && at < text.length() - 1
                && at == text.lastIndexOf('@')
                && text.chars().noneMatch(c -> c <= ' ');
    }

    private static boolean isBase64(String text) {
        try {
            return text.length() % 4 == 0 && Base64.getDecoder().decode(text) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
