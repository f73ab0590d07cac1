package dev.fairlead.protocol.engine;

import java.time.Duration;
import java.util.HexFormat;

/**
 * Prepares text of a peer for the log: on one line, without characters that control a terminal or
 * reorder the text around them, and cut at {@value #MAX_LENGTH} characters.
 */
public final class LogText {
    /** The greatest length of a text, in characters. */
    public static final int MAX_LENGTH = 200;

    private LogText() {}

    /**
     * Returns the text with unsafe characters escaped ({@code \}{@code u001b}), cut if it is
     * longer.
     */
    public static String clean(String text) {
        return clean(text, MAX_LENGTH);
    }

    /**
     * Returns the text with another greatest length.
     *
     * @param max the greatest length, in characters
     */
    public static String clean(String text, int max) {
        boolean cut = text.length() > max;
        String kept = cut ? text.substring(0, max) : text;
        if (!cut && kept.chars().allMatch(LogText::isPlain)) {
            return text;
        }
        StringBuilder clean = new StringBuilder(kept.length() + 32);
        kept.codePoints().forEach(character -> append(character, clean));
        if (cut) {
            clean.append("… (").append(text.length()).append(" characters)");
        }
        return clean.toString();
    }

    /**
     * Returns a duration with the units that people use: {@code 0.4 ms}, {@code 30 s}, {@code 2 h 5
     * min}.
     */
    public static String duration(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos < 0) {
            return "-" + duration(duration.negated());
        }
        if (nanos < 10_000_000) {
            return decimal(nanos, 1_000_000) + " ms";
        }
        if (nanos < 1_000_000_000) {
            return nanos / 1_000_000 + " ms";
        }
        if (nanos < 60_000_000_000L) {
            return decimal(nanos, 1_000_000_000) + " s";
        }
        return parts(duration);
    }

    /** Returns a number with one decimal, unless that is a zero. */
    private static String decimal(long nanos, long unit) {
        long tenths = nanos * 10 / unit;
        return tenths % 10 == 0 ? Long.toString(tenths / 10) : tenths / 10 + "." + tenths % 10;
    }

    private static String parts(Duration duration) {
        StringBuilder text = new StringBuilder();
        part(duration.toDaysPart(), " d ", text);
        part(duration.toHoursPart(), " h ", text);
        part(duration.toMinutesPart(), " min ", text);
        part(duration.toSecondsPart(), " s ", text);
        return text.toString().strip();
    }

    private static void part(long number, String unit, StringBuilder text) {
        if (number > 0) {
            text.append(number).append(unit);
        }
    }

    private static boolean isPlain(int character) {
        return character >= ' ' && character < 0x7F;
    }

    private static void append(int character, StringBuilder clean) {
        if (isPlain(character) || !isUnsafe(character)) {
            clean.appendCodePoint(character);
            return;
        }
        for (char unit : Character.toChars(character)) {
            clean.append("\\u" + HexFormat.of().toHexDigits(unit));
        }
    }

    private static boolean isUnsafe(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE, // half of a pair
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            default -> false;
        };
    }
}
