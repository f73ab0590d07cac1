package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.tasks.TaskOutcome;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Limits the time of a run; time in which it waits for answers does not count. */
final class RunTime {
    private final Timers timers;
    private volatile @Nullable Limit limit; // written under this
    private volatile @Nullable Thread ending;
    private @Nullable Limit paused; // guarded by this, like the next two
    private int pauses;
    private long pausedAt;

    /**
     * The time limit of a run, and the end of its task if the run does not stop by then.
     *
     * @param due in nanoseconds of the timers, whose time does not jump when a clock is set
     */
    private record Limit(long due, TaskOutcome whenOver) {
        long left(long now) {
            return due - now;
        }
    }

    RunTime(Timers timers) {
        this.timers = timers;
    }

    /** Sets a limit in place of an earlier one. */
    synchronized void limit(Duration time, TaskOutcome whenOver) {
        long nanos = Math.min(TimeUnit.NANOSECONDS.convert(time), Long.MAX_VALUE / 2);
        if (pauses == 0) {
            limit = new Limit(timers.nanoTime() + nanos, whenOver);
        } else {
            paused = new Limit(pausedAt + nanos, whenOver);
        }
    }

    /**
     * Returns the time at which the limit is reached, by the clock; no later than the task expires.
     */
    Instant deadline(Instant expiry) {
        Limit set = limit;
        if (set == null) {
            return expiry;
        }
        Instant due = timers.clock().instant().plusNanos(set.left(timers.nanoTime()));
        return due.isBefore(expiry) ? due : expiry;
    }

    /** Returns the time left in nanoseconds; the maximum while no limit counts. */
    long left() {
        Limit set = limit;
        return set == null ? Long.MAX_VALUE : set.left(timers.nanoTime());
    }

    /** Pauses the limit until {@link #resume}; each of several pauses has to end. */
    synchronized void pause() {
        if (pauses++ == 0) {
            pausedAt = timers.nanoTime();
            paused = limit;
            limit = null;
        }
    }

    /** Resumes the limit after the last pause; returns whether it counts again. */
    synchronized boolean resume() {
        Limit before = paused;
        if (--pauses > 0 || before == null) {
            return false;
        }
        paused = null;
        limit = new Limit(before.due() + timers.nanoTime() - pausedAt, before.whenOver());
        return true;
    }

    /**
     * Checks the limit; returns at once.
     *
     * @param end called on a thread of its own if the time is over, with how the task is to end
     */
    synchronized void check(Consumer<TaskOutcome> end) {
        Limit set = limit;
        if (set != null && set.left(timers.nanoTime()) <= 0) {
            limit = null;
            ending =
                    Thread.ofVirtual()
                            .name("mcp-task-overdue")
                            .start(() -> end.accept(set.whenOver()));
        }
    }

    /** Ends the limit, since the handler has stopped; waits while {@link #check} ends the task. */
    void stopped() {
        Thread other = ending;
        if (other != null) {
            Uninterruptibly.await(other::join);
        }
        synchronized (this) {
            limit = null;
        }
    }
}
