package dev.fairlead.protocol.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Rate limits by key: each key has a {@link TokenBucket} of its own. Thread-safe and bounded; only
 * a new key takes a lock.
 */
public final class KeyedRateLimiter {
    /** The greatest number of keys. Those with a full bucket are removed long before. */
    public static final int MAX_KEYS = 10_000;

    /** The number of keys up to which full buckets are not searched for. */
    private static final int FEW = 100;

    private final int times;
    private final Duration per;
    private final int burst;
    private final LongSupplier nanos;
    private final Map<Object, TokenBucket> buckets = new ConcurrentHashMap<>();

    /**
     * The number of keys at which full buckets are removed: twice as many as the last time left.
     */
    private int enough = FEW; // guarded by this

    /**
     * Creates limits without keys.
     *
     * @param times the number of tokens of each key in {@code per}
     * @param burst the number of tokens at once
     * @param nanos returns the time, such as {@link System#nanoTime()}
     */
    public KeyedRateLimiter(int times, Duration per, int burst, LongSupplier nanos) {
        this.times = times;
        this.per = per;
        this.burst = burst;
        this.nanos = nanos;
    }

    /** Takes a token of this key; returns false if there is none. */
    public boolean take(Object key) {
        return bucket(key).take();
    }

    /** Returns the time until this key has a token to take; zero if it has one. */
    public Duration delay(Object key) {
        return bucket(key).delay();
    }

    private TokenBucket bucket(Object key) {
        TokenBucket bucket = buckets.get(key);
        return bucket == null ? added(key) : bucket;
    }

    private synchronized TokenBucket added(Object key) {
        TokenBucket bucket = buckets.get(key);
        if (bucket == null) {
            makeRoom();
            bucket = new TokenBucket(times, per, burst, nanos);
            buckets.put(key, bucket);
        }
        return bucket;
    }

    /** Removes the keys with a full bucket, and if there are too many others, any one of them. */
    private void makeRoom() {
        if (buckets.size() < enough) {
            return;
        }
        buckets.values().removeIf(TokenBucket::isFull);
        if (buckets.size() >= MAX_KEYS) {
            buckets.keySet().stream().findAny().ifPresent(buckets::remove);
        }
        enough = Math.clamp(2L * buckets.size(), FEW, MAX_KEYS);
    }

    /** Returns how many keys are kept. */
    public int size() {
        return buckets.size();
    }

    /** Removes a key; the next use of it starts with a full bucket. */
    public void forget(Object key) {
        buckets.remove(key);
    }
}
