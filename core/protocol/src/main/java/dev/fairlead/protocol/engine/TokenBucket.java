package dev.fairlead.protocol.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A token bucket: permits a burst, and then one token per interval. Thread-safe, without locks.
 *
 * <p>Its only state is the time at which it is full again. Each token that is taken moves that time
 * by one interval, and it is never further away than the whole burst takes to refill.
 */
public final class TokenBucket {
    private final long interval;
    private final long capacity; // nanoseconds in which an empty bucket refills
    private final LongSupplier nanos;
    private final AtomicLong fullAt;

    /**
     * Creates a full bucket.
     *
     * @param times how many tokens it gains in {@code per}; the time between two is rounded down to
     *     whole nanoseconds, but is at least one
     * @param burst the most tokens in it, at least 1; cut to the tokens that refill in 292 years
     * @param nanos returns the time, such as {@link System#nanoTime()}
     */
    public TokenBucket(int times, Duration per, int burst, LongSupplier nanos) {
        this.interval = Math.max(1, per.toNanos() / times);
        this.capacity = interval > Long.MAX_VALUE / burst ? Long.MAX_VALUE : interval * burst;
        this.nanos = nanos;
        this.fullAt = new AtomicLong(nanos.getAsLong());
    }

    /** Takes a token; returns false if there is none. */
    public boolean take() {
        while (true) {
            long known = fullAt.get();
            long now = nanos.getAsLong();
            long missing = Math.max(0, known - now);
            if (missing > capacity - interval) {
                return false;
            }
            if (fullAt.compareAndSet(known, now + missing + interval)) {
                return true;
            }
        }
    }

    /** Returns the time until there is a token to take; zero if there is one. */
    public Duration delay() {
        return Duration.ofNanos(Math.max(0, missing() - (capacity - interval)));
    }

    /** Returns whether the whole burst is available. */
    boolean isFull() {
        return missing() == 0;
    }

    /** Returns the nanoseconds until the bucket is full. */
    private long missing() {
        return Math.max(0, fullAt.get() - nanos.getAsLong());
    }
}
