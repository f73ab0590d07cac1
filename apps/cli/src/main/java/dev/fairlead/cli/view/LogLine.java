package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.LoggingMessageNotification;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Messages of servers beside their answers, dimmed. */
public final class LogLine {
    private static final int MAX_LENGTH = 4_000;

    /** The least columns beside a prefix. */
    private static final int MIN_WIDTH = 8;

    private static final String INDENT = "  ";

    private LogLine() {}

    /**
     * A log message: its level, its logger if that is known, and the message; data that is not a
     * text is JSON. A text longer than 4,000 characters is cut. Lines after the first one are
     * indented, those of a terminal too, so that none of them looks like another entry.
     */
    public static List<String> of(LoggingMessageNotification message, Screen screen) {
        String level = message.level().name().toLowerCase(Locale.ROOT);
        String who = message.logger() == null ? "" : " " + Printable.line(cut(message.logger()));
        String text = level + who + ": " + indented(message.text());
        Style style = message.level().isAtLeast(LoggingLevel.WARNING) ? Style.YELLOW : Style.DIM;
        return wrapped(text, style, screen);
    }

    /** A log entry of this program, on one line. */
    public static List<String> ofProgram(String message, Screen screen) {
        return wrapped("fairlead: " + Printable.line(cut(message)), Style.DIM, screen);
    }

    /**
     * A line that a server wrote to standard error, behind the name of the server: each line of the
     * terminal begins with it, so that none looks like a line of this program.
     */
    public static List<String> ofStandardError(String server, String line, Screen screen) {
        String prefix = Printable.line(server) + ": ";
        String text = Printable.text(cut(line));
        int width = Math.max(MIN_WIDTH, screen.width() - prefix.length());
        List<String> lines =
                screen.terminal() ? Paragraph.filled(text, width) : text.lines().toList();
        return lines.stream().map(each -> screen.styled(Style.DIM, prefix + each)).toList();
    }

    private static String indented(String text) {
        return Printable.text(cut(text)).strip().replace("\n", "\n" + INDENT);
    }

    private static List<String> wrapped(String text, Style style, Screen screen) {
        if (!screen.terminal()) {
            return text.lines().map(line -> screen.styled(style, line)).toList();
        }
        List<String> lines = new ArrayList<>();
        int width = Math.max(MIN_WIDTH, screen.width() - INDENT.length());
        for (String line : Paragraph.filled(text, width)) {
            boolean isFirst = lines.isEmpty();
            lines.add(isFirst || line.startsWith(INDENT) ? line : INDENT + line);
        }
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
