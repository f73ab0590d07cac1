package dev.fairlead.proofs;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions, generously, since machines that test may be slow. */
public final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Await() {}

    public static void until(String what, BooleanSupplier condition) throws InterruptedException {
        until(() -> what, condition);
    }

    public static void until(Supplier<String> what, BooleanSupplier condition)
            throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("still not so after " + PATIENCE + ": " + what.get());
            }
            TimeUnit.MILLISECONDS.sleep(5); // between two looks
        }
    }

    static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        return Objects.requireNonNull(
                queue.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS),
                "nothing came within " + PATIENCE);
    }
}
