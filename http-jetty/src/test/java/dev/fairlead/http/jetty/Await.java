package dev.fairlead.http.jetty;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread is to bring about. */
final class Await {
    /** What may have to be done again, since the machine is slower than a server is patient. */
    @FunctionalInterface
    interface Attempt<T> {
        /** Empty, or failing to read or write, where it was too slow. */
        Optional<T> make() throws Exception;
    }

    private Await() {}

    /** What the first attempt gives that is in time. */
    static <T> T inTime(Attempt<T> attempt) {
        AtomicReference<T> made = new AtomicReference<>();
        until(
                () -> {
                    try {
                        made.set(attempt.make().orElse(null));
                    } catch (IOException e) {
                        return false; // cut off
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    return made.get() != null;
                });
        return made.get();
    }

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
