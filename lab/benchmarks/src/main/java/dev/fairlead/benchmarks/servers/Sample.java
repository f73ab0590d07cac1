package dev.fairlead.benchmarks.servers;

import java.time.Duration;

/** The result of one round of one server. */
record Sample(
        double perSecond, double cpuMicros, double allocated, double p99Millis, double generator) {
    /** Beyond that a round says more of the caller than of the server. */
    static final double GENERATOR_LIMIT = 0.8;

    /** A sample without a result, which does not count. */
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
