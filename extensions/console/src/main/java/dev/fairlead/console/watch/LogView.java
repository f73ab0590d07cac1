package dev.fairlead.console.watch;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * The latest records of Fairlead's loggers, the newest first. It reads {@code java.util.logging},
 * the back end of the JDK's loggers unless a program has another.
 */
final class LogView implements View, AutoCloseable {
    private static final int RECORDS = 500;
    private static final int MAX_MESSAGE = 1_000;

    private final Ring<Entry> entries = new Ring<>(RECORDS);
    private final AtomicLong numbers = new AtomicLong();
    private final Logger logger = Logger.getLogger("dev.fairlead"); // kept: it is held weakly
    private final Handler handler = new Recorder();

    private record Entry(
            long number, long time, String level, String logger, String message, String thrown) {}

    LogView() {
        logger.addHandler(handler);
    }

    /** Adds each record to the ring. */
    private final class Recorder extends Handler {
        private final Formatter formatter = new SimpleFormatter();

        @Override
        public void publish(@Nullable LogRecord logged) {
            if (logged == null) {
                return;
            }
            Throwable thrown = logged.getThrown();
            entries.add(
                    new Entry(
                            numbers.incrementAndGet(),
                            logged.getMillis(),
                            logged.getLevel().getName(),
                            shortName(logged.getLoggerName()),
                            Texts.shortened(formatter.formatMessage(logged), MAX_MESSAGE),
                            thrown == null ? "" : Texts.shortened(thrown.toString())));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static String shortName(@Nullable String logger) {
        return logger == null ? "" : Texts.shortened(logger.replaceFirst("^dev\\.fairlead\\.", ""));
    }

    @Override
    public Snapshot snapshot(Query query) {
        List<Entry> matching =
                entries.latest().stream()
                        .filter(
                                entry ->
                                        query.matches(
                                                entry.level(),
                                                entry.logger(),
                                                entry.message(),
                                                entry.thrown()))
                        .toList();
        return new Snapshot(
                JsonObject.EMPTY,
                matching.size(),
                matching.stream().limit(Snapshot.MAX_ROWS).map(LogView::row).toList());
    }

    private static Snapshot.Row row(Entry entry) {
        return new Snapshot.Row(
                Long.toString(entry.number()),
                JsonObject.of(
                        "time", entry.time(),
                        "level", entry.level(),
                        "logger", entry.logger(),
                        "message", entry.message(),
                        "thrown", entry.thrown()));
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
