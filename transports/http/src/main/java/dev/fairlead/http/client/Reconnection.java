package dev.fairlead.http.client;

import java.time.Duration;

/**
 * How a lost stream is picked up again.
 *
 * @param attempts how many attempts in a row may fail before a request is given up
 * @param firstDelay the wait before the first attempt where the server names none; it doubles with
 *     each failure
 * @param longestDelay the longest wait
 */
record Reconnection(int attempts, Duration firstDelay, Duration longestDelay) {
    static final Reconnection DEFAULT =
            new Reconnection(10, Duration.ofMillis(500), Duration.ofSeconds(30));

    Reconnection {
        if (attempts < 0) {
            throw new IllegalArgumentException("attempts must not be negative but was " + attempts);
        }
        if (!firstDelay.isPositive() || longestDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException(
                    "the first delay must be positive and not above the longest, but they are "
                            + firstDelay
                            + " and "
                            + longestDelay);
        }
    }

    /** The wait before an attempt that follows this many failures. */
    Duration delayAfter(int failures) {
        Duration delay = firstDelay;
        for (int i = 0; i < failures && delay.compareTo(longestDelay) < 0; i++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(longestDelay) < 0 ? delay : longestDelay;
    }
}
