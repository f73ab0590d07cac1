package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.NotificationParams;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a face knows of its revision: which methods and notifications there are. */
abstract class RevisionFace implements WireFace {
    final Revision revision;
    private final Map<String, Method<?, ?>> methods = new HashMap<>();
    private final Map<String, Notification<?>> notifications = new HashMap<>();

    RevisionFace(Revision revision) {
        this.revision = revision;
        for (Method<?, ?> method : Methods.ALL) {
            if (method.isIn(revision)) {
                methods.put(method.name(), method);
            }
        }
        for (Notification<?> notification : Notifications.ALL) {
            if (notification.isIn(revision)) {
                notifications.put(notification.name(), notification);
            }
        }
    }

    @Override
    public final Revision revision() {
        return revision;
    }

    @Override
    public Optional<Method<?, ?>> method(String name, Side receiver) {
        Method<?, ?> method = methods.get(name);
        return method != null && method.receiver().includes(receiver)
                ? Optional.of(method)
                : Optional.empty();
    }

    @Override
    public final Optional<Notification<?>> notification(String name, Side receiver) {
        Notification<?> notification = notifications.get(name);
        return notification != null && notification.receiver().includes(receiver)
                ? Optional.of(notification)
                : Optional.empty();
    }

    @Override
    public final boolean has(Method<?, ?> method) {
        return method.isIn(revision);
    }

    @Override
    public final boolean has(Notification<?> notification) {
        return notification.isIn(revision);
    }

    final void require(Method<?, ?> method) {
        if (!has(method)) {
            throw lacks(method.name(), method.capability());
        }
    }

    final void require(Notification<?> notification) {
        if (!has(notification)) {
            throw lacks(notification.name(), notification.capability());
        }
    }

    private CapabilityException lacks(String name, @Nullable String capability) {
        return new CapabilityException(
                capability == null ? name : capability,
                name + " does not exist in revision " + revision);
    }

    @Override
    public final <P extends NotificationParams> Optional<P> readNotification(
            Notification<P> notification, @Nullable RawJson params) {
        try {
            return Optional.of(
                    JsonCodec.of(notification.params())
                            .read(params == null ? RawJson.EMPTY_OBJECT : params));
        } catch (JsonBindingException | JsonException e) {
            return Optional.empty();
        }
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + " " + revision;
    }
}
