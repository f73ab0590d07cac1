package dev.fairlead.cli;

import dev.fairlead.cli.view.LogLine;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Prints what the libraries log in one line each, without stack traces: much of it is the text of
 * servers. Thread-safe.
 */
final class LogHandler extends Handler {
    /** Of the library that reaches a keyring, which tells of each of its connections. */
    private static final Logger BUS = Logger.getLogger("org.freedesktop.dbus");

    private final Console console;
    private final SimpleFormatter formatter = new SimpleFormatter();

    private LogHandler(Console console) {
        this.console = console;
    }

    /** Takes the place of the handler that the JVM has. */
    static void install(Console console) {
        LogManager.getLogManager().reset();
        Logger root = Logger.getLogger("");
        root.setLevel(Level.INFO);
        BUS.setLevel(Level.WARNING);
        root.addHandler(new LogHandler(console));
    }

    @Override
    public void publish(LogRecord entry) {
        if (isLoggable(entry)) {
            String message = formatter.formatMessage(entry);
            console.status().print(LogLine.ofProgram(message, console.errorScreen()));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
