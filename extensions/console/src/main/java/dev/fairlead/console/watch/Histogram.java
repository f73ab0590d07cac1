package dev.fairlead.console.watch;

import java.util.concurrent.atomic.AtomicLongArray;

/** Durations counted in classes whose bounds grow by at most a quarter. Thread-safe. */
final class Histogram {
    private static final int PER_DOUBLING = 4;
    private static final int CLASSES = 33 * PER_DOUBLING; // up to more than an hour

    private final AtomicLongArray counts = new AtomicLongArray(CLASSES);

    void add(long nanos) {
        counts.incrementAndGet(classOf(nanos / 1_000));
    }

    private static int classOf(long micros) {
        if (micros < PER_DOUBLING) {
            return (int) Math.max(0, micros);
        }
        int exponent = 63 - Long.numberOfLeadingZeros(micros);
        int quarter = (int) (micros >>> (exponent - 2)) & (PER_DOUBLING - 1);
        return Math.min(CLASSES - 1, (exponent - 1) * PER_DOUBLING + quarter);
    }

    /** Returns the first microsecond of a class. */
    private static long start(int of) {
        if (of < PER_DOUBLING) {
            return of;
        }
        int exponent = of / PER_DOUBLING + 1;
        return (long) (PER_DOUBLING + of % PER_DOUBLING) << (exponent - 2);
    }

    /**
     * Returns the duration in microseconds that a part of all does not exceed, up to a quarter too
     * high; 0 where nothing was counted.
     *
     * @param part such as 0.99
     */
    long quantile(double part) {
        long all = 0;
        long[] now = new long[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            now[i] = counts.get(i);
            all += now[i];
        }
        long rest = (long) Math.ceil(all * part);
        for (int i = 0; i < CLASSES; i++) {
            rest -= now[i];
            if (rest <= 0 && now[i] > 0) {
                return Math.max(1, start(i + 1) - 1);
            }
        }
        return 0;
    }
}
