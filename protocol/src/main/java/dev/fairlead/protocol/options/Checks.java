package dev.fairlead.protocol.options;

import dev.fairlead.protocol.time.Durations;

import java.time.Duration;

/**
 * Validates the values of options. Each method returns its value, and throws {@link
 * IllegalArgumentException} with the name of the option and the value otherwise.
 */
public final class Checks {
    private Checks() {}

    /** Requires a duration above zero. */
    public static Duration positive(Duration value, String name) {
        require(value.isPositive(), Durations.text(value), name);
        return value;
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

    /** Requires a duration above zero for a step, and one for all steps that is not less. */
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
