package dev.fairlead.client.group;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before a lost server is tried again: twice as long each time, up to a bound, and
 * a little less at random, so that many clients do not come back at the same moment.
 *
 * @param first after the first failure
 * @param longest the bound
 */
record Backoff(Duration first, Duration longest) {
    Backoff {
        if (!first.isPositive() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "the first wait must be positive and not above the longest, but they are "
                            + first
                            + " and "
                            + longest);
        }
    }

    /** The wait after so many failures in a row: between half of what it is at most and that. */
    Duration delay(int failures) {
        Duration doubled = first.multipliedBy(1L << Math.clamp(failures - 1, 0, 20));
        Duration most = doubled.compareTo(longest) < 0 ? doubled : longest;
        long half = Math.max(1, most.toMillis() / 2);
        return Duration.ofMillis(half + ThreadLocalRandom.current().nextLong(half + 1));
    }
}
