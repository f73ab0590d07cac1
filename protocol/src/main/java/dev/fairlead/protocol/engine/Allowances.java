package dev.fairlead.protocol.engine;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * How often each of many may do something: everybody has an allowance that refills steadily.
 * Thread-safe, without locks, and bounded.
 */
public final class Allowances {
    /** At most so many allowances are kept. Those that are full again are forgotten long before. */
    public static final int MAX_KEYS = 10_000;

    /** Among so few it is not worth looking for them. */
    private static final int FEW = 100;

    private final int times;
    private final Duration per;
    private final int burst;
    private final TimeMeter time;
    private final Map<Object, Bucket> buckets = new ConcurrentHashMap<>();

    /** When it is time to look for them: twice as many as were left the last time. */
    private volatile int enough = FEW;

    /**
     * @param times how often it may be done in a time, steadily; more than once in a nanosecond
     *     counts as once
     * @param burst how often at once
     * @param nanos the time
     */
    public Allowances(int times, Duration per, int burst, LongSupplier nanos) {
        this.times = (int) Math.min(times, per.toNanos());
        this.per = per;
        this.burst = burst;
        this.time = new Nanos(nanos);
    }

    /** Takes one from somebody's allowance; false if it is used up. */
    public boolean take(Object key) {
        return bucket(key).tryConsume(1);
    }

    /** How long somebody has to wait until there is one to take; zero if there is. */
    public Duration delay(Object key) {
        return Duration.ofNanos(bucket(key).estimateAbilityToConsume(1).getNanosToWaitForRefill());
    }

    private Bucket bucket(Object key) {
        Bucket bucket = buckets.get(key);
        if (bucket != null) {
            return bucket;
        }
        makeRoom();
        return buckets.computeIfAbsent(key, k -> full());
    }

    private Bucket full() {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(burst).refillGreedy(times, per))
                .withCustomTimePrecision(time)
                .build();
    }

    /** Forgets who has a full allowance anyway, and if there are too many others, anybody. */
    private void makeRoom() {
        if (buckets.size() < enough) {
            return;
        }
        buckets.values().removeIf(other -> other.getAvailableTokens() >= burst);
        if (buckets.size() >= MAX_KEYS) {
            buckets.keySet().stream().findAny().ifPresent(buckets::remove);
        }
        enough = Math.clamp(2L * buckets.size(), FEW, MAX_KEYS);
    }

    /** How many allowances are kept. */
    public int size() {
        return buckets.size();
    }

    /** Somebody is gone. */
    public void forget(Object key) {
        buckets.remove(key);
    }

    private record Nanos(LongSupplier nanos) implements TimeMeter {
        @Override
        public long currentTimeNanos() {
            return nanos.getAsLong();
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }
}
