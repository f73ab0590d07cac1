package dev.fairlead.test.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Records the lines of a logger, until it is closed. */
public final class Logged extends Handler implements AutoCloseable {
    private final Logger logger;
    private final Level before;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    public Logged(String name, Level level) {
        logger = Logger.getLogger(name);
        before = logger.getLevel();
        logger.setLevel(level);
        setLevel(level);
        logger.addHandler(this);
    }

    /** Returns each line as its level and message. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord entry) {
        lines.add(entry.getLevel() + " " + new SimpleFormatter().formatMessage(entry));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(before);
    }
}
