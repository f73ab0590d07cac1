package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what comes true by itself. */
final class Waiting {
    private Waiting() {}

    static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("it did not come true").isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
