package dev.fairlead.client.changes;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.subscriptions.NotificationFilter;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open streams of one connection, which find the notifications that belong to them. */
final class OpenStreams {
    private static final System.Logger LOGGER = System.getLogger(OpenStreams.class.getName());

    /** The changes that only come on such a stream. */
    private static final Set<String> CHANGES =
            Set.of(
                    Notifications.TOOL_LIST_CHANGED.name(),
                    Notifications.PROMPT_LIST_CHANGED.name(),
                    Notifications.RESOURCE_LIST_CHANGED.name(),
                    Notifications.RESOURCE_UPDATED.name(),
                    Notifications.TASK.name());

    private final PerRequestFace face;
    private final Map<RequestId, ChangeStream> streams = new ConcurrentHashMap<>();

    OpenStreams(PerRequestFace face) {
        this.face = face;
    }

    void add(RequestId request, ChangeStream stream) {
        streams.put(request, stream);
    }

    void remove(RequestId request) {
        streams.remove(request);
    }

    /**
     * Notes the acknowledgement of a stream before any later message, since the end of the stream
     * may follow at once. Returns at once.
     */
    void received(JsonRpcNotification notification) {
        ChangeStream stream = isAcknowledgement(notification) ? stream(notification) : null;
        if (stream != null) {
            granted(notification).ifPresent(stream::announced);
        }
    }

    /**
     * Takes the notifications of a stream, in the order in which they came: a stream that takes the
     * place of another one ends that only after all of its changes have been handled.
     *
     * @return whether the notification is to be handled: it is a change that came on a stream of
     *     this client, or belongs to no stream
     */
    boolean takes(JsonRpcNotification notification) {
        boolean acknowledges = isAcknowledgement(notification);
        if (!acknowledges && !CHANGES.contains(notification.method())) {
            return true;
        }
        ChangeStream stream = stream(notification);
        if (stream == null) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} is dropped: it names no subscription of this client",
                    notification.method());
            return false;
        }
        if (acknowledges) {
            granted(notification).ifPresent(stream::acknowledged);
        }
        return !acknowledges;
    }

    private static boolean isAcknowledgement(JsonRpcNotification notification) {
        return notification.method().equals(Notifications.SUBSCRIPTIONS_ACKNOWLEDGED.name());
    }

    private Optional<NotificationFilter> granted(JsonRpcNotification acknowledgement) {
        return face.readNotification(
                        Notifications.SUBSCRIPTIONS_ACKNOWLEDGED, acknowledgement.params())
                .map(params -> params.notifications());
    }

    private @Nullable ChangeStream stream(JsonRpcNotification notification) {
        RawJson params = notification.params();
        try {
            RawJson attached = params == null ? null : params.member("_meta");
            RawJson id = attached == null ? null : attached.member(MetaKey.SUBSCRIPTION_ID);
            return id == null ? null : streams.get(new RequestId(id.value()));
        } catch (RuntimeException e) { // malformed
            return null;
        }
    }
}
