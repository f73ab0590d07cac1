package dev.fairlead.protocol.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How often each of many may do something: everybody has an allowance that refills steadily.
 * Thread-safe, without locks, and bounded.
 */
public final class Allowances {
    /** At most so many allowances are kept; those that are full again are forgotten first. */
    public static final int MAX_KEYS = 10_000;

    private final long interval;
    private final int burst;
    private final LongSupplier nanos;

    /** For each of them the moment at which the allowance is full again, in nanoseconds. */
    private final Map<Object, AtomicLong> full = new ConcurrentHashMap<>();

    /**
     * @param times how often it may be done in a time, steadily
     * @param burst how often at once
     * @param nanos the time
     */
    public Allowances(int times, Duration per, int burst, LongSupplier nanos) {
        this.interval = Math.max(1, per.toNanos() / times);
        this.burst = burst;
        this.nanos = nanos;
    }

    /** Takes one from somebody's allowance; false if it is used up. */
    public boolean take(Object key) {
        AtomicLong allowance = full.get(key);
        long now = nanos.getAsLong();
        if (allowance == null) {
            makeRoom(now);
            allowance = full.computeIfAbsent(key, k -> new AtomicLong(now));
        }
        while (true) {
            long before = allowance.get();
            long after = (before - now < 0 ? now : before) + interval;
            if (after - now > interval * burst) {
                return false;
            }
            if (allowance.compareAndSet(before, after)) {
                return true;
            }
        }
    }

    /** Forgets who has a full allowance anyway, and if that is nobody, anybody. */
    private void makeRoom(long now) {
        if (full.size() >= MAX_KEYS) {
            full.values().removeIf(other -> other.get() - now <= 0);
        }
        if (full.size() >= MAX_KEYS) {
            full.keySet().stream().findAny().ifPresent(full::remove);
        }
    }

    /** How many allowances are kept. */
    public int size() {
        return full.size();
    }

    /** Somebody is gone. */
    public void forget(Object key) {
        full.remove(key);
    }
}
