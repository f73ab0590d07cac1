package dev.fairlead.benchmarks.soak;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Watches numbers that are to come one after the other, from 1 on. Thread-safe. */
final class Numbers {
    private long last;

    /** Whether a number is new; it is not if it, or a later one, has come before. */
    synchronized boolean take(long number) {
        if (number <= last) {
            return false;
        }
        last = number;
        notifyAll();
        return true;
    }

    /** Waits until a number has come; false if it has not in that time. */
    synchronized boolean await(long number, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        for (long left = end - System.nanoTime();
                last < number && left > 0;
                left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return last >= number;
    }
}
