package dev.fairlead.server.notifications;

import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.engine.Connection;

/** The notifications that handlers must not send: the library itself does, or nothing does. */
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

    /**
     * Returns whether a notification of the protocol belongs to no request of a revision. Since
     * revision 2026-07-28 a request carries its own progress and log messages, and the
     * notifications that the author of the server has defined; changes are sent on subscriptions
     * alone.
     */
    static boolean belongsElsewhere(String method, Revision revision) {
        return revision.era() == Era.PER_REQUEST
                && Notifications.ALL.stream().anyMatch(known -> known.name().equals(method));
    }
}
