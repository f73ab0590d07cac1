package dev.fairlead.test.support;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time in which a program runs: while the machine does not run it, at most one step
 * passes. For tests of short durations, which a slow machine must not fail.
 */
public final class RunningTime {
    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration MOST = Duration.ofSeconds(30);

    private RunningTime() {}

    /**
     * Waits for something.
     *
     * @param what the awaited event; part of the message of a failure
     * @return how long that took
     * @throws AssertionError after 30 s
     */
    public static Duration until(CountDownLatch latch, String what) throws InterruptedException {
        for (Duration before = Duration.ZERO;
                before.compareTo(MOST) < 0;
                before = before.plus(STEP)) {
            long started = System.nanoTime();
            if (latch.await(STEP.toMillis(), TimeUnit.MILLISECONDS)) {
                Duration last = Duration.ofNanos(System.nanoTime() - started);
                return before.plus(last.compareTo(STEP) < 0 ? last : STEP);
            }
        }
        throw new AssertionError(what + ": not within 30 s");
    }
}
