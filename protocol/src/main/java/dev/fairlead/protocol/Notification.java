package dev.fairlead.protocol;

import dev.fairlead.protocol.base.NotificationParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A notification that the protocol knows. All of them are in {@link Notifications}.
 *
 * @param <P> its parameters
 * @param name the name on the wire, such as {@code notifications/message}
 * @param receiver who may be told
 * @param params the class of the parameters
 * @param capability what the sender must have declared, such as {@code tools.listChanged}; null
 *     where nothing
 * @param since the first revision that has it
 */
public record Notification<P extends NotificationParams>(
        String name, Side receiver, Class<P> params, @Nullable String capability, Revision since) {
    public Notification {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(receiver, "receiver");
        Objects.requireNonNull(params, "params");
        Objects.requireNonNull(since, "since");
    }

    @Override
    public String toString() {
        return name;
    }
}
