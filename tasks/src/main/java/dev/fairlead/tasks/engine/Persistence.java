package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.time.Backoff;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.TaskStoreException;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Calls a store that may be down for a while, until it has done what it is to do. Thread-safe. */
final class Persistence {
    private static final System.Logger LOGGER = System.getLogger(Persistence.class.getName());

    /** How long an outage that was logged is not logged again. */
    static final Duration LOGGED = Duration.ofMinutes(1);

    static final Duration FIRST_RETRY = Duration.ofMillis(100);
    static final Duration LONGEST_RETRY = Duration.ofSeconds(5);

    private static final Backoff RETRIES = new Backoff(FIRST_RETRY, LONGEST_RETRY);

    private final Timers timers;
    private final AtomicReference<Instant> quietUntil = new AtomicReference<>(Instant.MIN);
    private volatile boolean closed;

    Persistence(Timers timers) {
        this.timers = timers;
    }

    /**
     * Repeats a call that fails until a time has come.
     *
     * @throws TaskStoreException if the store has not come back by then
     * @throws InterruptedException while it waits between two attempts
     */
    <T> T until(Instant end, Supplier<T> call) throws InterruptedException {
        try {
            return call.get();
        } catch (TaskStoreException e) {
            check(end, e);
            return later(end, call);
        }
    }

    /** The same for a call that has just failed for the first time. */
    <T> T later(Instant end, Supplier<T> call) throws InterruptedException {
        for (int failures = 1; ; failures++) {
            Wake.pause(timers, RETRIES.delay(failures));
            try {
                return call.get();
            } catch (TaskStoreException e) {
                check(end, e);
            }
        }
    }

    /**
     * The same as {@link #until}, whoever interrupts the thread; an interrupt is there again
     * afterwards. For what must not get lost.
     */
    <T> T uninterrupted(Instant end, Supplier<T> call) {
        boolean interrupted = false;
        try {
            for (int failures = 1; ; failures++) {
                try {
                    return call.get();
                } catch (TaskStoreException e) {
                    check(end, e);
                }
                try {
                    Wake.pause(timers, RETRIES.delay(failures));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * What a requestor is told whose operation has failed; why, only the log says, and of the many
     * operations of an outage only once in a while.
     */
    JsonRpcException refusal(TaskStoreException cause) {
        Instant now = timers.clock().instant();
        Instant quiet = quietUntil.get();
        Instant next = now.plus(LOGGED);
        boolean due = !now.isBefore(quiet) || quiet.isAfter(next); // the clock may be set back
        boolean logs = due && quietUntil.compareAndSet(quiet, next);
        LOGGER.log(logs ? Level.ERROR : Level.DEBUG, "The task store failed", cause);
        return Refusal.unavailable();
    }

    private void check(Instant end, TaskStoreException failure) {
        if (closed || !timers.clock().instant().isBefore(end)) {
            throw failure;
        }
        LOGGER.log(Level.DEBUG, "The task store failed, trying again", failure);
    }

    /** Nothing is tried again from here on. */
    void close() {
        closed = true;
    }
}
