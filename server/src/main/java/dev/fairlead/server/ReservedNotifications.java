package dev.fairlead.server;

import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.engine.Connection;

/** The notifications that the library itself sends, so that handlers must not. */
final class ReservedNotifications {
    private ReservedNotifications() {}

    /**
     * Checks a notification of a handler.
     *
     * @throws IllegalArgumentException if the library itself sends it
     */
    static void refuse(String method) {
        if (method.equals(Connection.CANCELLED)
                || method.equals(Connection.PROGRESS)
                || method.equals(Notifications.LOGGING_MESSAGE.name())) {
            throw new IllegalArgumentException("the library itself sends " + method);
        }
    }
}
