package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what comes true by itself. */
final class Waiting {
    private Waiting() {}

    /** Ignores interrupts, but does not lose them: a thread that has one would not pause. */
    static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + 30_000_000_000L;
        boolean interrupted = false;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("it did not come true").isLessThan(end);
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(1_000_000);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
