package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskOutcome;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * How long a run may take; the time in which it waits for answers does not count. When that is over
 * its task ends, and then its handler is stopped.
 */
final class RunTime {
    private static final System.Logger LOGGER = System.getLogger(RunTime.class.getName());

    private final Run run;
    private final Runs runs;
    private final NodeParts parts;
    private volatile @Nullable RunLimit limit; // written under this
    private volatile @Nullable Thread ending;
    private @Nullable RunLimit paused; // guarded by this, like the next two
    private int pauses;
    private long pausedAt;

    RunTime(Run run, Runs runs, NodeParts parts) {
        this.run = run;
        this.runs = runs;
        this.parts = parts;
    }

    /** As {@link TaskContext#limit}. */
    synchronized void limit(Duration time, TaskOutcome whenOver) {
        Duration ttl = run.task().ttl();
        Duration most = time.compareTo(ttl) < 0 ? time : ttl;
        RunLimit next = new RunLimit((pauses == 0 ? now() : pausedAt) + nanos(most), whenOver);
        if (pauses == 0) {
            begin(next);
        } else {
            paused = next;
        }
    }

    private void begin(RunLimit next) {
        limit = next;
        parts.pulse().watch(run.local());
    }

    private static long nanos(Duration time) {
        return Math.min(TimeUnit.NANOSECONDS.convert(time), Long.MAX_VALUE / 2);
    }

    private long now() {
        return parts.timers().nanoTime();
    }

    /** As {@link TaskContext#deadline}. */
    Instant deadline() {
        Instant expiry = run.task().expiresAt();
        RunLimit set = limit;
        if (set == null) {
            return expiry;
        }
        Instant due = parts.timers().clock().instant().plusNanos(set.left(now()));
        return due.isBefore(expiry) ? due : expiry;
    }

    /** The limit that counts now; null for none. */
    @Nullable RunLimit limit() {
        return limit;
    }

    /** The time does not count until {@link #resume}; each of several pauses has to end. */
    synchronized void pause() {
        if (pauses++ == 0) {
            pausedAt = now();
            paused = limit;
            limit = null;
        }
    }

    /** The time counts again, once the last pause has ended. */
    synchronized void resume() {
        RunLimit before = paused;
        if (--pauses == 0 && before != null) {
            paused = null;
            begin(before.later(now() - pausedAt));
        }
    }

    /** Ends the task if the time is over, and then stops the handler. */
    synchronized void check() {
        RunLimit set = limit;
        if (set != null && set.left(now()) <= 0) {
            limit = null;
            ending = Thread.ofVirtual().name("mcp-task-overdue").start(() -> overdue(set));
        }
    }

    private void overdue(RunLimit set) {
        runs.conclude(run, set.whenOver());
        run.stop(Reasons.OVERDUE);
    }

    /** The handler has stopped; waits until nobody else ends the task any more. */
    void stopped() {
        Thread other = ending;
        while (other != null && other.isAlive()) {
            try {
                other.join();
            } catch (InterruptedException e) {
                LOGGER.log(Level.DEBUG, "Nobody may interrupt the end of a run");
            }
        }
        synchronized (this) {
            limit = null;
        }
    }
}
