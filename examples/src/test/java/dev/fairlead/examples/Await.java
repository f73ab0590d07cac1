package dev.fairlead.examples;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for conditions, generously, since machines that test may be slow. */
final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Await() {}

    static void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("still not so after " + PATIENCE + ": " + what);
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
