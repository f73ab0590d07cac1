package dev.fairlead.auth.fetch;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes the text of an issuer or a server fit for messages, logs and terminals: without control,
 * format and other invisible characters, and short.
 */
public final class PlainText {
    /** The longest text that is quoted, in characters. */
    public static final int MAX_LENGTH = 200;

    /** The causes of a failure that are kept. */
    private static final int MAX_CAUSES = 10;

    private static final Pattern INVISIBLE =
            Pattern.compile(
                    "[\\p{C}\\p{Zl}\\p{Zp}"
                            + "\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u3164"
                            + "\\uFE00-\\uFE0F\\uFFA0\\x{E0100}-\\x{E01EF}]");
    private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7E]+");

    private PlainText() {}

    /** The text with a space for each invisible character, cut to {@link #MAX_LENGTH}. */
    public static String of(@Nullable String text) {
        if (text == null) {
            return "";
        }
        // cut first: the next steps cost time
        String visible = INVISIBLE.matcher(cut(text, MAX_LENGTH + 1)).replaceAll(" ");
        return visible.length() <= MAX_LENGTH ? visible : cut(visible, MAX_LENGTH) + "…";
    }

    /** Cuts a text, but never within a character that takes two of Java's. */
    private static String cut(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(
                0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }

    /** A duration as in messages, such as {@code 30 s} or {@code 100 ms}. */
    public static String of(Duration duration) {
        return duration.toMillis() % 1000 == 0
                ? duration.toSeconds() + " s"
                : duration.toMillis() + " ms";
    }

    /**
     * Returns whether the text is ASCII without spaces and control characters, not empty, and not
     * longer than this.
     */
    public static boolean isPrintable(String text, int maxLength) {
        return text.length() <= maxLength && PRINTABLE.matcher(text).matches();
    }

    /**
     * The same failure, whose messages and those of its causes are plain text; itself if they are
     * already.
     */
    public static IOException of(IOException failure) {
        return isPlain(failure, 0) ? failure : copy(failure, 0);
    }

    private static boolean isPlain(@Nullable Throwable failure, int depth) {
        if (failure == null) {
            return true;
        }
        String message = failure.getMessage();
        return depth <= MAX_CAUSES
                && (message == null || of(message).equals(message))
                && isPlain(failure.getCause(), depth + 1)
                && Stream.of(failure.getSuppressed())
                        .allMatch(suppressed -> isPlain(suppressed, depth + 1));
    }

    private static IOException copy(Throwable failure, int depth) {
        String name = failure.getClass().getSimpleName();
        String message = of(failure.getMessage());
        String text =
                failure.getClass() == IOException.class
                        ? message
                        : name + (message.isEmpty() ? "" : ": " + message);
        Throwable cause = failure.getCause();
        IOException copy =
                new IOException(
                        text, cause == null || depth == MAX_CAUSES ? null : copy(cause, depth + 1));
        copy.setStackTrace(failure.getStackTrace());
        if (depth < MAX_CAUSES) {
            for (Throwable suppressed : failure.getSuppressed()) {
                copy.addSuppressed(copy(suppressed, depth + 1));
            }
        }
        return copy;
    }
}
