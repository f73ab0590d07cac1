package dev.fairlead.protocol.options;

import dev.fairlead.protocol.time.Durations;

import java.time.Duration;

/**
 * Validates the values of options. Each method throws {@link IllegalArgumentException} with the
 * value, and the name of the option where it is given; those with a name return the value.
 */
public final class Checks {
    /** Long enough to be for ever; a few of them still fit into a number of nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(50 * 365);

    private Checks() {}

    /** Requires a duration above zero, and returns it, or 50 years where it is longer. */
    public static Duration positive(Duration value, String name) {
        require(value.isPositive(), Durations.text(value), name);
        return bounded(value);
    }

    /** Returns a duration, or 50 years where it is longer, as {@code ChronoUnit.FOREVER} is. */
    public static Duration bounded(Duration value) {
        return value.compareTo(LONGEST) < 0 ? value : LONGEST;
    }

    /** Requires a number of at least 1. */
    public static int positive(int value, String name) {
        require(value > 0, value, name);
        return value;
    }

    /** Requires a number of at least 1. */
    public static long positive(long value, String name) {
        require(value > 0, value, name);
        return value;
    }

    /**
     * Requires a timeout above zero.
     *
     * @param maximum the time for everything together, at least the timeout
     */
    public static void limits(Duration timeout, Duration maximum) {
        if (!timeout.isPositive() || maximum.compareTo(timeout) < 0) {
            throw new IllegalArgumentException(
                    "a timeout must be positive and not above the maximum, but they are "
                            + Durations.text(timeout)
                            + " and "
                            + Durations.text(maximum));
        }
    }

    private static void require(boolean positive, Object value, String name) {
        if (!positive) {
            throw new IllegalArgumentException(name + " must be positive but was " + value);
        }
    }
}
