package dev.fairlead.server.notifications;

import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.engine.Connection;

/** The notifications that the library itself sends, so that handlers must not. */
public final class ReservedNotifications {
    private ReservedNotifications() {}

    /**
     * Checks a notification of a handler.
     *
     * @throws IllegalArgumentException if the library itself sends it
     */
    public static void refuse(String method) {
        if (method.equals(Connection.CANCELLED)
                || method.equals(Connection.PROGRESS)
                || method.equals(Notifications.LOGGING_MESSAGE.name())) {
            throw new IllegalArgumentException("the library itself sends " + method);
        }
    }
}
