package dev.fairlead.protocol.time;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Logs events that a peer can cause: at most one line for each kind, peer and minute. A kind is a
 * message without its parameters. The first line of a kind is logged at once; those that follow
 * within a minute are logged at DEBUG and counted, and the newest of them follows after the minute
 * with the number of the others. So a hostile peer cannot fill a disk or hide other lines, and a
 * line is never lost for a level of DEBUG.
 *
 * <p>No method throws anything: after an {@link OutOfMemoryError} logging may fail with the next
 * one, which must not end a thread that lives as long as a server. Safe for use by several threads.
 */
public final class LimitedLog {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** The greatest number of kinds; further kinds share one line for each logger and level. */
    static final int MAX_KINDS = 1_000;

    private static final LimitedLog SHARED =
            new LimitedLog(
                    System::nanoTime,
                    CompletableFuture.delayedExecutor(INTERVAL.toSeconds(), TimeUnit.SECONDS));

    private static final Logger UNSEEN = System.getLogger(LimitedLog.class.getName());

    private static final @Nullable Object[] NO_PARAMETERS = {};

    private final LongSupplier nanos;
    private final Executor aMinuteLater;
    private final Map<Key, Kind> kinds = new HashMap<>(); // guarded by this
    private boolean isFlushDue; // guarded by this: a flush will come

    private record Key(String logger, Level level, Object peer, String message) {}

    /** A line for the log. */
    private record Line(
            Logger logger,
            Level level,
            @Nullable Throwable cause,
            String message,
            @Nullable Object[] parameters) {
        void log(Level atLevel, long others) {
            String text = parameters.length == 0 ? message : MessageFormat.format(message, texts());
            String counted = others == 0 ? text : text + " (and " + others + " more like it)";
            if (cause == null) {
                logger.log(atLevel, counted);
            } else {
                logger.log(atLevel, counted, cause);
            }
        }

        /**
         * Returns the parameters with numbers as texts, which have the same digits in every
         * language.
         */
        private @Nullable Object[] texts() {
            @Nullable Object[] texts = parameters.clone();
            Arrays.setAll(
                    texts,
                    at -> texts[at] instanceof Number number ? number.toString() : texts[at]);
            return texts;
        }

        Line withoutCause() {
            return new Line(logger, level, null, message, parameters);
        }
    }

    /** The state of a kind. */
    private static final class Kind {
        private long quietUntil;
        private long leftOut;
        private @Nullable Line newest; // of those that were left out
    }

    /** A line that is due, with the number of lines that it replaces. */
    private record Due(Line line, long others) {}

    LimitedLog(LongSupplier nanos, Executor aMinuteLater) {
        this.nanos = nanos;
        this.aMinuteLater = aMinuteLater;
    }

    /**
     * Loads the classes for logging: a class that is first used without memory can never be used
     * after that.
     */
    static void prepare() {
        LimitedLog prepared = new LimitedLog(System::nanoTime, Runnable::run);
        for (int i = 0; i < 2; i++) {
            prepared.add(UNSEEN, Level.TRACE, "", null, "Prepared {0}", i);
        }
    }

    /**
     * Logs a line, or counts it.
     *
     * @param peer the operator's name of the peer, compared by {@code equals}, or an empty text for
     *     all clients of a server; never a value that the peer chooses
     * @param message the kind, with the place of each parameter ({@code {0}}); a constant
     */
    public static void log(
            Logger logger,
            Level level,
            Object peer,
            String message,
            @Nullable Object... parameters) {
        SHARED.add(logger, level, peer, null, message, parameters);
    }

    /**
     * Logs a failure, or counts it.
     *
     * @param peer as for {@link #log}
     * @param message as for {@link #log}
     */
    public static void failed(
            Logger logger,
            Level level,
            Object peer,
            Throwable cause,
            String message,
            @Nullable Object... parameters) {
        SHARED.add(logger, level, peer, cause, message, parameters);
    }

    /** Logs a failure whose line has no parameters, as {@link #failed} does, without an array. */
    public static void failed(
            Logger logger, Level level, Object peer, Throwable cause, String message) {
        SHARED.add(logger, level, peer, cause, message, NO_PARAMETERS);
    }

    /** Adds a line, see the static methods. */
    void add(
            Logger logger,
            Level level,
            Object peer,
            @Nullable Throwable cause,
            String message,
            @Nullable Object... parameters) {
        try {
            if (!logger.isLoggable(level)) {
                return;
            }
            Line line = new Line(logger, level, cause, message, parameters);
            Due due = due(peer, line);
            if (due == null) {
                line.log(Level.DEBUG, 0);
            } else {
                due.line().log(line.level(), due.others());
            }
        } catch (Throwable e) { // as without memory
            // there is no other place to report it
        }
    }

    private synchronized @Nullable Due due(Object peer, Line line) {
        Kind kind = kind(new Key(line.logger().getName(), line.level(), peer, line.message()));
        long now = nanos.getAsLong();
        if (now - kind.quietUntil >= 0) {
            return next(kind, line, now);
        }
        kind.leftOut++;
        kind.newest = line.withoutCause();
        flushLater();
        return null;
    }

    private static Due next(Kind kind, Line line, long now) {
        Due due = new Due(line, kind.leftOut);
        kind.quietUntil = now + INTERVAL.toNanos();
        kind.leftOut = 0;
        kind.newest = null;
        return due;
    }

    private Kind kind(Key key) {
        Key kept =
                kinds.size() < MAX_KINDS || kinds.containsKey(key)
                        ? key
                        : new Key(key.logger(), key.level(), "", "");
        return kinds.computeIfAbsent(
                kept,
                added -> {
                    Kind kind = new Kind();
                    kind.quietUntil = nanos.getAsLong();
                    return kind;
                });
    }

    private void flushLater() {
        if (!isFlushDue) {
            aMinuteLater.execute(this::flush);
            isFlushDue = true;
        }
    }

    /** Logs the summaries that are due, and removes the kinds that are quiet. */
    private void flush() {
        try {
            for (Due due : allDue()) {
                due.line().log(due.line().level(), due.others());
            }
        } catch (Throwable e) { // as without memory
            // there is no other place to report it
        }
    }

    private synchronized List<Due> allDue() {
        isFlushDue = false;
        long now = nanos.getAsLong();
        List<Due> due = new ArrayList<>();
        kinds.values().removeIf(kind -> kind.newest == null && now - kind.quietUntil >= 0);
        for (Kind kind : kinds.values()) {
            Line newest = kind.newest;
            if (newest != null && now - kind.quietUntil >= 0) {
                kind.leftOut--;
                due.add(next(kind, newest, now));
            }
        }
        if (!kinds.isEmpty()) {
            flushLater();
        }
        return due;
    }
}
