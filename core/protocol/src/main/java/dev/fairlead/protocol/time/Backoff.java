package dev.fairlead.protocol.time;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The delays between retries: twice as long each time, up to a bound, and up to half of it less at
 * random, so that many do not retry at the same moment.
 *
 * @param first the greatest delay after the first failure
 * @param longest the bound
 */
public record Backoff(Duration first, Duration longest) {
    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if the first is not positive, or above the longest
     */
    public Backoff {
        if (!first.isPositive() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "the first wait must be positive and not above the longest, but they are "
                            + Durations.text(first)
                            + " and "
                            + Durations.text(longest));
        }
    }

    /**
     * Returns the delay before the next retry.
     *
     * @param failures the number of failures in a row, at least one
     */
    public Duration delay(int failures) {
        Duration doubled = first.multipliedBy(1L << Math.clamp(failures - 1, 0, 20));
        long nanos = (doubled.compareTo(longest) < 0 ? doubled : longest).toNanos();
        return Duration.ofNanos(nanos - ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
    }
}
