package dev.fairlead.benchmarks.servers;

import java.time.Duration;

/**
 * What one round of one server has shown.
 *
 * @param perSecond calls
 * @param cpuMicros processor time of the server for each call
 * @param allocated KiB on its heap for each call; 0 if it is not a JVM
 * @param p99Millis of the calls
 * @param generator the share of a processor that the calling thread has used
 */
record Sample(
        double perSecond, double cpuMicros, double allocated, double p99Millis, double generator) {
    /** Beyond that a round says more of the caller than of the server. */
    static final double GENERATOR_LIMIT = 0.8;

    /** What shows nothing, and does not count. */
    static final Sample NONE = new Sample(0, 0, 0, 0, Double.NaN);

    static Sample of(Durations durations, long nanos, Duration cpu, long bytes, double generator) {
        int calls = durations.count();
        return new Sample(
                calls * 1e9 / nanos,
                cpu.toNanos() / 1e3 / calls,
                bytes / 1024.0 / calls,
                durations.millis(0.99),
                generator);
    }

    boolean counts() {
        return generator < GENERATOR_LIMIT;
    }
}
