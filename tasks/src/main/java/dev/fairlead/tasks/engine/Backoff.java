package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.time.Timers;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The waits between attempts to reach a store that fails; for one thread. */
final class Backoff {
    static final Duration FIRST = Duration.ofMillis(100);
    static final Duration LONGEST = Duration.ofSeconds(5);

    private final Timers timers;
    private Duration next = FIRST;

    Backoff(Timers timers) {
        this.timers = timers;
    }

    /** Waits, each time twice as long up to a bound, and up to half of it less at random. */
    void pause() throws InterruptedException {
        long nanos = next.toNanos();
        Wake.pause(
                timers,
                Duration.ofNanos(nanos - ThreadLocalRandom.current().nextLong(nanos / 2 + 1)));
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    }
}
