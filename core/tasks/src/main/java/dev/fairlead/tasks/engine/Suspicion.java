package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.Owner;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskLimits;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Detects owners that look up many unknown tasks, or poll very often, and reports each at most once
 * a minute. Thread-safe.
 */
final class Suspicion {
    /** The most owners that are watched, all of the current minute. */
    static final int MAX_OWNERS = 10_000;

    private final TaskLimits limits;
    private final Audit audit;
    private final Clock clock;
    private final Map<Object, Minute> watched = new ConcurrentHashMap<>();

    /** The number of the current minute; counts of earlier ones are removed. */
    private final AtomicLong current = new AtomicLong(Long.MIN_VALUE);

    Suspicion(TaskLimits limits, Audit audit, Clock clock) {
        this.limits = limits;
        this.audit = audit;
        this.clock = clock;
    }

    /** Counts of an owner within a minute. */
    private static final class Minute {
        private final long number;
        private int failedLookups; // guarded by this
        private int polls; // guarded by this

        private Minute(long number) {
            this.number = number;
        }

        private synchronized boolean isFailedLookup(int most) {
            return ++failedLookups == most;
        }

        private synchronized boolean isPoll(int most) {
            return ++polls == most;
        }
    }

    /**
     * Counts a lookup of an unknown task. Owners that may see each other's tasks are counted
     * together, so that a new session does not reset the count.
     */
    void failedLookup(Owner owner) {
        if (minute(owner.access()).isFailedLookup(limits.failedLookups())) {
            warn(owner, limits.failedLookups() + " look-ups of unknown tasks within a minute");
        }
    }

    /** Counts a poll of the state of a task. */
    void poll(Owner owner) {
        if (minute(owner).isPoll(limits.pollsPerMinute())) {
            warn(owner, limits.pollsPerMinute() + " polls within a minute");
        }
    }

    private void warn(Owner owner, String what) {
        audit.event(TaskEvent.Kind.SUSPICIOUS, owner, null, null, what);
    }

    private Minute minute(Object key) {
        long now = Math.floorDiv(clock.millis(), 60_000L);
        Minute minute = watched.get(key);
        if (minute != null && minute.number == now) {
            return minute;
        }
        makeRoom(now);
        return watched.compute(
                key, (k, known) -> known != null && known.number == now ? known : new Minute(now));
    }

    private void makeRoom(long now) {
        if (current.getAndSet(now) != now) {
            watched.values().removeIf(minute -> minute.number != now);
        }
        if (watched.size() >= MAX_OWNERS) {
            watched.keySet().stream().findAny().ifPresent(watched::remove);
        }
    }

    /** Returns the number of watched owners. */
    int size() {
        return watched.size();
    }
}
