package dev.fairlead.tasks.requestor;

import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The time for which a task can still change, by the clock of this side, since the task became
 * known here. Confined to its watch.
 */
final class Lifetime {
    private final Clock clock;
    private final Instant begin;
    private Instant lastLook;
    private Instant lastChange;
    private @Nullable Task last;

    Lifetime(Clock clock) {
        this.clock = clock;
        this.begin = clock.instant();
        this.lastLook = begin;
        this.lastChange = begin;
    }

    /**
     * Records a look at the task.
     *
     * @return true if it is stuck: its time to live is over and nothing has changed for long, but
     *     the peer neither ends nor forgets it
     */
    boolean isStuck(Task seen) {
        lastLook = clock.instant();
        if (!seen.equals(last)) {
            last = seen;
            lastChange = lastLook;
        }
        return seen.ttl() != null
                && !seen.status().isTerminal()
                && lastLook.isAfter(end())
                && lastLook.isAfter(Timers.later(lastChange, WatchLimits.OVERDUE));
    }

    /** Returns whether a silent peer need not be asked any more. */
    boolean isOver() {
        return clock.instant().isAfter(end());
    }

    /** Returns the end of its time to live; if unknown, some time after the last look. */
    private Instant end() {
        Long ttl = last == null ? null : last.ttl();
        return ttl == null
                ? Timers.later(lastLook, WatchLimits.OUTAGE)
                : Timers.later(begin, Duration.ofMillis(ttl));
    }
}
