package dev.fairlead.server;

import java.util.function.LongSupplier;

/**
 * Lets a burst pass and then a steady flow, for what one call tells: floods are cut. Guarded by the
 * lock of its owner.
 */
final class Throttle {
    private final long interval;
    private final int burst;
    private final LongSupplier nanos;
    private long full;

    /**
     * @param perSecond how many may pass steadily
     * @param burst how many may pass at once
     */
    Throttle(int perSecond, int burst, LongSupplier nanos) {
        this.interval = 1_000_000_000L / perSecond;
        this.burst = burst;
        this.nanos = nanos;
        this.full = nanos.getAsLong();
    }

    boolean pass() {
        long now = nanos.getAsLong();
        long after = Math.max(full - now, 0) + interval;
        if (after > interval * burst) {
            return false;
        }
        full = now + after;
        return true;
    }
}
