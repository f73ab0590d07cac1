package dev.fairlead.benchmarks.servers;

import java.util.Arrays;

/** How long calls took, in nanoseconds; grows without boxes. */
final class Durations {
    private long[] nanos = new long[1 << 16];
    private int count;

    void add(long duration) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = duration;
    }

    int count() {
        return count;
    }

    /** The milliseconds within which such a part of all calls ended. */
    double millis(double part) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int index = (int) Math.ceil(part * count) - 1;
        return sorted[Math.clamp(index, 0, count - 1)] / 1e6;
    }
}
