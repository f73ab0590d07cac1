package dev.fairlead.jdbc;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread is to bring about. */
public final class Await {
    private Await() {}

    public static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it did not happen");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
