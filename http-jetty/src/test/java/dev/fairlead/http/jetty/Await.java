package dev.fairlead.http.jetty;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread is to bring about. */
final class Await {
    private Await() {}

    static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it did not happen");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
