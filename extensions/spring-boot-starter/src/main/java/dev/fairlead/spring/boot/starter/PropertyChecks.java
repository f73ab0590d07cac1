package dev.fairlead.spring.boot.starter;

import dev.fairlead.protocol.time.Durations;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Checks values of properties; a message names the property.
 *
 * @param prefix of the names of the properties, without a dot at its end
 */
record PropertyChecks(String prefix) {
    /** A century: longer ones are mistakes, and cannot all be counted in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Accepts an absent number, and one from 1 to the most. */
    void range(String name, @Nullable Number value, long most) {
        range(name, value, 1, most);
    }

    /** Accepts an absent number, and one from the least to the most. */
    void range(String name, @Nullable Number value, long least, long most) {
        if (value != null && (value.longValue() < least || value.longValue() > most)) {
            throw new InvalidPropertyException(
                    "%s.%s must be from %s to %s but was %s"
                            .formatted(prefix, name, least, most, value.longValue()));
        }
    }

    /** Accepts an absent time, and one that is positive and at most a century. */
    void positive(String name, @Nullable Duration value) {
        atMostLongest(name, value);
        if (value != null && !value.isPositive()) {
            throw new InvalidPropertyException(
                    "%s.%s must be positive but was %s"
                            .formatted(prefix, name, Durations.text(value)));
        }
    }

    /** Accepts an absent time, and one that is not negative and at most a century. */
    void notNegative(String name, @Nullable Duration value) {
        atMostLongest(name, value);
        if (value != null && value.isNegative()) {
            throw new InvalidPropertyException(
                    "%s.%s must not be negative but was %s"
                            .formatted(prefix, name, Durations.text(value)));
        }
    }

    private void atMostLongest(String name, @Nullable Duration value) {
        if (value != null && value.compareTo(LONGEST) > 0) {
            throw new InvalidPropertyException(
                    "%s.%s must be at most %s but was %s"
                            .formatted(
                                    prefix, name, Durations.text(LONGEST), Durations.text(value)));
        }
    }

    /**
     * Sets an option to the value of a property.
     *
     * @return the builder with the option
     * @throws InvalidPropertyException if the library refuses the value
     */
    <T> T set(String name, Supplier<T> option) {
        try {
            return option.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidPropertyException(
                    "%s.%s cannot be used: %s".formatted(prefix, name, e.getMessage()), e);
        }
    }
}
