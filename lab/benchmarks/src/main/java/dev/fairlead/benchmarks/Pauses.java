package dev.fairlead.benchmarks;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Pauses between measurements. */
final class Pauses {
    private Pauses() {}

    /** Waits until something holds that other threads bring about. */
    static void until(Duration most, BooleanSupplier condition) {
        long end = System.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("what was waited for did not come about");
            }
            pause(Duration.ofMillis(1));
        }
    }

    static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
