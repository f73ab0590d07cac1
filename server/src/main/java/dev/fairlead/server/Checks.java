package dev.fairlead.server;

import java.time.Duration;

/** Checks of settings at the entry points. */
final class Checks {
    private Checks() {}

    static Duration positive(Duration value, String name) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + " must be positive but was " + value);
        }
        return value;
    }

    static int positive(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be positive but was " + value);
        }
        return value;
    }
}
