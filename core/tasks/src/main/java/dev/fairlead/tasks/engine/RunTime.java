package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.tasks.TaskOutcome;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** How long a run may take; the time in which it waits for answers does not count. */
final class RunTime {
    private final Timers timers;
    private volatile @Nullable Limit limit; // written under this
    private volatile @Nullable Thread ending;
    private @Nullable Limit paused; // guarded by this, like the next two
    private int pauses;
    private long pausedAt;

    /**
     * Until when a run may continue, and how its task ends if it does not stop by then.
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

    /** When the limit is reached, by the clock; no later than the task expires. */
    Instant deadline(Instant expiry) {
        Limit set = limit;
        if (set == null) {
            return expiry;
        }
        Instant due = timers.clock().instant().plusNanos(set.left(timers.nanoTime()));
        return due.isBefore(expiry) ? due : expiry;
    }

    /** How many nanoseconds are left; the most there are where no limit counts now. */
    long left() {
        Limit set = limit;
        return set == null ? Long.MAX_VALUE : set.left(timers.nanoTime());
    }

    /** The time does not count until {@link #resume}; each of several pauses has to end. */
    synchronized void pause() {
        if (pauses++ == 0) {
            pausedAt = timers.nanoTime();
            paused = limit;
            limit = null;
        }
    }

    /** The time counts again, once the last pause has ended; returns whether it does. */
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
     * Returns at once.
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

    /** The handler has stopped; waits until {@link #check} does not end the task any more. */
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
