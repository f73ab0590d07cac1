package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.LoggingMessageNotification;

import java.util.List;
import java.util.Locale;

/** What servers say beside their answers, dimmed. */
public final class LogLine {
    private static final int MAX_LENGTH = 4_000;

    private LogLine() {}

    /**
     * A log message: its level, its logger if that is known, and the message; data that is not a
     * text is JSON. What is longer than 4,000 characters is cut. Lines after the first one are
     * indented, so that none of them looks like another entry.
     */
    public static List<String> of(LoggingMessageNotification message, Screen screen) {
        String level = message.level().name().toLowerCase(Locale.ROOT);
        String who = message.logger() == null ? "" : " " + Printable.line(cut(message.logger()));
        String text = level + who + ": " + indented(message.text());
        Style style = message.level().isAtLeast(LoggingLevel.WARNING) ? Style.YELLOW : Style.DIM;
        return wrapped(text, style, screen);
    }

    /** What this program itself logs, on one line. */
    public static List<String> ofProgram(String message, Screen screen) {
        return wrapped("fairlead: " + Printable.line(cut(message)), Style.DIM, screen);
    }

    /** A line that a server wrote to standard error. */
    public static List<String> ofStandardError(String line, Screen screen) {
        return wrapped(Printable.text(cut(line)), Style.DIM, screen);
    }

    private static String indented(String text) {
        return Printable.text(cut(text)).strip().replace("\n", "\n  ");
    }

    private static List<String> wrapped(String text, Style style, Screen screen) {
        List<String> lines =
                screen.terminal() ? Paragraph.flowing(text, screen.width()) : text.lines().toList();
        return lines.stream().map(line -> screen.styled(style, line)).toList();
    }

    private static String cut(String text) {
        return text.length() <= MAX_LENGTH
                ? text
                : text.substring(0, MAX_LENGTH)
                        + " ("
                        + (text.length() - MAX_LENGTH)
                        + " more characters)";
    }
}
