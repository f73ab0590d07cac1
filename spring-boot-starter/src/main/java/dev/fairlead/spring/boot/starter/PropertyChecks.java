package dev.fairlead.spring.boot.starter;

import dev.fairlead.protocol.time.Durations;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Checks values of properties; a message names the property.
 *
 * @param prefix of the names of the properties, without a dot at its end
 */
record PropertyChecks(String prefix) {
    /** Accepts an absent number, and one from 1 to the most. */
    void range(String name, @Nullable Number value, long most) {
        range(name, value, 1, most);
    }

    /** Accepts an absent number, and one from the least to the most. */
    void range(String name, @Nullable Number value, long least, long most) {
        if (value != null && (value.longValue() < least || value.longValue() > most)) {
            throw new IllegalArgumentException(
                    "%s.%s must be from %d to %d but was %d"
                            .formatted(prefix, name, least, most, value.longValue()));
        }
    }

    /** Accepts an absent time, and one that is positive. */
    void positive(String name, @Nullable Duration value) {
        if (value != null && !value.isPositive()) {
            throw new IllegalArgumentException(
                    "%s.%s must be positive but was %s"
                            .formatted(prefix, name, Durations.text(value)));
        }
    }

    /** Accepts an absent time, and one that is not negative. */
    void notNegative(String name, @Nullable Duration value) {
        if (value != null && value.isNegative()) {
            throw new IllegalArgumentException(
                    "%s.%s must not be negative but was %s"
                            .formatted(prefix, name, Durations.text(value)));
        }
    }
}
