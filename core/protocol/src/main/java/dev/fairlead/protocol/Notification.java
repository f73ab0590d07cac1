package dev.fairlead.protocol;

import dev.fairlead.protocol.base.NotificationParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A notification of the protocol. All of them are in {@link Notifications}.
 *
 * @param <P> its parameters
 * @param name the name on the wire, such as {@code notifications/message}
 * @param receiver the side that receives it
 * @param params the class of the parameters
 * @param capability the capability that the sender must have declared, such as {@code
 *     tools.listChanged}; null for none
 * @param since the first revision that has it
 * @param last the last revision that has it; null where there is none yet
 */
public record Notification<P extends NotificationParams>(
        String name,
        Side receiver,
        Class<P> params,
        @Nullable String capability,
        Revision since,
        @Nullable Revision last) {
    public Notification {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(receiver, "receiver");
        Objects.requireNonNull(params, "params");
        Objects.requireNonNull(since, "since");
    }

    /** Creates a notification that no revision has removed. */
    public Notification(
            String name,
            Side receiver,
            Class<P> params,
            @Nullable String capability,
            Revision since) {
        this(name, receiver, params, capability, since, null);
    }

    /** Returns whether a revision has the notification. */
    public boolean isIn(Revision revision) {
        return revision.isAtLeast(since) && (last == null || last.isAtLeast(revision));
    }

    @Override
    public String toString() {
        return name;
    }
}
