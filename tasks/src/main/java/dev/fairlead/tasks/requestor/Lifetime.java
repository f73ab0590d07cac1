package dev.fairlead.tasks.requestor;

import dev.fairlead.protocol.Task;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Finds tasks that are stuck: their time to live is over and nothing has changed for long, but the
 * peer neither ends nor forgets them. Goes by the clock of this side only.
 */
final class Lifetime {
    private final Clock clock;
    private final Instant begin;
    private Instant lastChange;
    private @Nullable Task last;

    Lifetime(Clock clock) {
        this.clock = clock;
        this.begin = clock.instant();
        this.lastChange = begin;
    }

    /** Takes a look at the task; true if it is stuck. */
    boolean isOver(Task seen) {
        Instant now = clock.instant();
        if (!seen.equals(last)) {
            last = seen;
            lastChange = now;
        }
        Long ttl = seen.ttl();
        return ttl != null
                && !seen.status().isTerminal()
                && now.isAfter(Timers.later(begin, Duration.ofMillis(ttl)))
                && now.isAfter(Timers.later(lastChange, Waits.OVERDUE));
    }
}
