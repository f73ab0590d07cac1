package dev.fairlead.protocol;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an event, which contains its stream.
 *
 * @param session letters and digits
 * @param stream letters and digits
 * @param number its position in the stream, from 1; 0 stands before the first
 */
public record EventId(String session, String stream, long number) {
    private static final Pattern FORM =
            Pattern.compile("([0-9A-Za-z]{1,64})-([0-9A-Za-z]{1,64})-([0-9]{1,18})");

    public EventId {
        if (!isName(session) || !isName(stream) || number < 0) {
            throw new IllegalArgumentException(
                    "session and stream must be letters and digits, number not negative");
        }
    }

    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= 64
                && text.chars().allMatch(c -> c < 128 && Character.isLetterOrDigit(c));
    }

    /** Reads the form of {@link #toString}; empty for any other text. */
    public static Optional<EventId> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new EventId(
                                matcher.group(1),
                                matcher.group(2),
                                Long.parseLong(matcher.group(3))))
                : Optional.empty();
    }

    /** Returns the id on the wire. */
    @Override
    public String toString() {
        return session + "-" + stream + "-" + number;
    }
}
