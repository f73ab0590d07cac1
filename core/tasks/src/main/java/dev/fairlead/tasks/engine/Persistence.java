package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.time.Backoff;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Calls a store that may be down for a while, until the call succeeds or its time is over.
 * Thread-safe.
 */
final class Persistence {
    private static final System.Logger LOGGER = System.getLogger(Persistence.class.getName());

    /** The time for which an outage is not logged again. */
    static final Duration LOGGED = Duration.ofMinutes(1);

    static final Duration FIRST_RETRY = Duration.ofMillis(100);
    static final Duration LONGEST_RETRY = Duration.ofSeconds(5);

    private static final Backoff RETRIES = new Backoff(FIRST_RETRY, LONGEST_RETRY);

    private final TaskStore store;
    private final Timers timers;
    private final AtomicReference<Instant> quietUntil = new AtomicReference<>(Instant.MIN);
    private volatile boolean closed;

    Persistence(TaskStore store, Timers timers) {
        this.store = store;
        this.timers = timers;
    }

    /**
     * Makes a call, and repeats it while it fails until a given time.
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

    private <T> T later(Instant end, Supplier<T> call) throws InterruptedException {
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
     * Makes a call as {@link #until}, for changes that must not get lost: interrupts do not end it,
     * and the flag is set again afterwards.
     */
    <T> T uninterrupted(Instant end, Supplier<T> call) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return until(end, call);
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

    // ---- calls of runs: no interrupt of the handler reaches the store

    /** Makes one attempt on a thread that nothing interrupts. */
    <T> T attempt(Function<TaskStore, T> call) {
        return call.apply(store);
    }

    /** Makes a call, unless the run is to stop. */
    <T> T call(Run run, Function<TaskStore, T> call) throws InterruptedException {
        run.throwIfStopped();
        return callAnyhow(run, call);
    }

    /** Makes a call at least once, even if the run is to stop. */
    <T> T callAnyhow(Run run, Function<TaskStore, T> call) throws InterruptedException {
        try {
            return run.interrupts().shielded(() -> call.apply(store));
        } catch (TaskStoreException e) {
            return callLater(run, call);
        }
    }

    /** Repeats a call that has just failed for the first time. */
    <T> T callLater(Run run, Function<TaskStore, T> call) throws InterruptedException {
        try {
            return later(
                    run.task().expiresAt(),
                    () -> run.interrupts().shielded(() -> call.apply(store)));
        } catch (TaskStoreException e) {
            run.interrupts().stop(Interrupts.EXPIRED);
            throw e;
        }
    }

    /** Stores a report, which may be lost; false if it was not stored. */
    boolean report(Run run, @Nullable String message, @Nullable Double progress) {
        try {
            return store.update(run.key(), message, progress);
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "A report of task {0} was not stored", run.key().id());
            return false;
        }
    }

    // ---- failures

    /** Makes one attempt for a requestor, whose operation fails with {@link #refusal}. */
    <T> T stored(Supplier<T> call) {
        try {
            return call.get();
        } catch (TaskStoreException e) {
            throw refusal(e);
        }
    }

    /**
     * Returns the error of a requestor's operation that failed. It has no cause; that is logged, at
     * level ERROR at most once a minute.
     */
    JsonRpcException refusal(TaskStoreException cause) {
        Instant now = timers.clock().instant();
        Instant quiet = quietUntil.get();
        Instant next = now.plus(LOGGED);
        boolean due = !now.isBefore(quiet) || quiet.isAfter(next); // the clock may be set back
        boolean logs = due && quietUntil.compareAndSet(quiet, next);
        LOGGER.log(logs ? Level.ERROR : Level.DEBUG, "The task store failed", cause);
        return unavailable();
    }

    static JsonRpcException unavailable() {
        return RetryableError.exception(
                ErrorCode.INTERNAL_ERROR, "The task store is not available");
    }

    private void check(Instant end, TaskStoreException failure) {
        if (closed || !timers.clock().instant().isBefore(end)) {
            throw failure;
        }
        LOGGER.log(Level.DEBUG, "The task store failed, trying again", failure);
    }

    /** Stops repeating calls. */
    void close() {
        closed = true;
    }
}
