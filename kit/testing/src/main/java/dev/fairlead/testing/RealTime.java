package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for changes that no event reports: in stores with a clock of their own, and in states of
 * other threads.
 */
final class RealTime {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final long POLL_NANOS = 1_000_000;

    private RealTime() {}

    /**
     * Polls a condition until it holds.
     *
     * @throws AssertionError after 120 s
     */
    static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "not so after 120 s");
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Waits for at least this time. */
    static void pass(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
