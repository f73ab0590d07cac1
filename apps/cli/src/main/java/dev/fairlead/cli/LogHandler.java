package dev.fairlead.cli;

import dev.fairlead.cli.view.LogLine;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Prints each log entry of the libraries in one line, without stack traces: much of it is the text
 * of servers. Thread-safe.
 */
final class LogHandler extends Handler {
    static { // before the first logger
        System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
    }

    /** The logger of the library that reaches a keyring, which logs each of its connections. */
    private static final Logger BUS = Logger.getLogger("org.freedesktop.dbus");

    private final Console console;
    private final SimpleFormatter formatter = new SimpleFormatter();

    private LogHandler(Console console) {
        this.console = console;
    }

    private static final Logger OWN = Logger.getLogger("dev.fairlead");
    private static final Logger WIRE = Logger.getLogger("dev.fairlead.wire");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    /** Prints each frame from now on. */
    static void trace() {
        WIRE.setLevel(Level.FINER);
    }

    /** Prints the log of this project from a level on. */
    static void level(System.Logger.Level least) {
        OWN.setLevel(Level.parse(Integer.toString(least.getSeverity())));
    }

    /** Takes back all levels that a command has set. */
    static void reset() {
        WIRE.setLevel(null);
        OWN.setLevel(null);
    }

    /** Takes the place of the handler that the JVM has. */
    static void install(Console console) {
        Logger root = Logger.getLogger("");
        Arrays.stream(root.getHandlers()).forEach(root::removeHandler);
        root.setLevel(Level.INFO);
        BUS.setLevel(Level.WARNING);
        root.addHandler(new LogHandler(console));
    }

    @Override
    public void publish(LogRecord entry) {
        if (isLoggable(entry)) {
            String message = formatter.formatMessage(entry);
            if (WIRE.getName().equals(entry.getLoggerName())) {
                LocalTime time = LocalTime.ofInstant(entry.getInstant(), ZoneId.systemDefault());
                message = TIME.format(time) + " " + message;
            }
            console.status().print(LogLine.ofProgram(message, console.errorScreen()));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
