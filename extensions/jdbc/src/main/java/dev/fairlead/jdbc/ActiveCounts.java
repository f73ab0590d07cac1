package dev.fairlead.jdbc;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Counts the tasks of owners that have not ended, as a recent count plus the tasks that this node
 * has created since. With thousands of tasks, a count for each new one would cost more than storing
 * it; a limit that is far away does not need it. Thread-safe.
 */
final class ActiveCounts {
    /** Smaller limits are always counted. */
    static final int LARGE = 1_000;

    private static final Duration RECENT = Duration.ofSeconds(1);
    private static final int OWNERS = 10_000;

    private final LongSupplier nanos;
    private final Map<String, Count> counts = new ConcurrentHashMap<>();

    /**
     * Creates empty counts.
     *
     * @param nanos as of {@link System#nanoTime}
     */
    ActiveCounts(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private record Count(long at, AtomicLong most) {}

    /**
     * Returns whether an owner is so far below a large limit that one more task need not be
     * counted; if so it counts as created.
     *
     * @param count the tasks as they are stored
     */
    boolean admits(String owner, int limit, LongSupplier count) {
        if (limit <= LARGE) {
            return false;
        }
        long now = nanos.getAsLong();
        Count known = counts.get(owner);
        if (known == null || now - known.at() > RECENT.toNanos()) {
            if (counts.size() >= OWNERS) {
                counts.clear();
            }
            known = new Count(now, new AtomicLong(count.getAsLong()));
            counts.put(owner, known);
        }
        return known.most().incrementAndGet() < limit / 2;
    }
}
