package dev.fairlead.server;

import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.engine.Connection;

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

    /** Checks that a notification is none that the library itself sends. */
    static void requireNotReserved(String method) {
        if (method.equals(Connection.CANCELLED)
                || method.equals(Connection.PROGRESS)
                || method.equals(Notifications.LOGGING_MESSAGE.name())) {
            throw new IllegalArgumentException("the library itself sends " + method);
        }
    }

    static int positive(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be positive but was " + value);
        }
        return value;
    }
}
