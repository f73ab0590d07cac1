package dev.fairlead.server.subscriptions;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.limits.Quota;
import dev.fairlead.protocol.resources.ResourceUpdatedNotification;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.subscriptions.SubscriptionsAcknowledgedNotification;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.handler.SubscriptionStream;
import dev.fairlead.server.notifications.OutgoingNotifications;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One stream: an open request, and the notifications that are sent on it. There is a thread only
 * while there is something to send.
 *
 * @param key of the caller, by which the streams of each caller are counted and limited
 * @param place among all streams, which is given back at the end
 * @param visibility says whether the caller may see a resource now, which may block
 * @param filter the changes that the client is notified of
 * @param tasks those that are watched; null for none
 * @param expiry ends the stream with the token of its caller; null for never
 * @param closeActions run once the stream has ended
 * @param ended opens once the last message of the stream was handed to the transport
 */
record ListenStream(
        IncomingRequest request,
        Caller caller,
        Object key,
        Quota.Share place,
        Subscriptions.Visibility visibility,
        NotificationFilter filter,
        OutgoingNotifications queue,
        @Nullable WatchedTasks tasks,
        AtomicReference<Timers.@Nullable Timer> expiry,
        CloseActions closeActions,
        CountDownLatch ended)
        implements SubscriptionStream {
    private static final System.Logger LOGGER = System.getLogger(ListenStream.class.getName());

    /** The id of a stream, which each of its messages carries. */
    static JsonObject meta(IncomingRequest request) {
        return JsonObject.of(MetaKey.SUBSCRIPTION_ID, request.id().value());
    }

    JsonObject meta() {
        return meta(request);
    }

    ListenStream withFilter(NotificationFilter less) {
        return new ListenStream(
                request,
                caller,
                key,
                place,
                visibility,
                less,
                queue,
                tasks,
                expiry,
                closeActions,
                ended);
    }

    @Override
    public void listChanged(ListKind kind) {
        boolean wanted =
                switch (kind) {
                    case TOOLS -> filter.tools();
                    case RESOURCES -> filter.resources();
                    case PROMPTS -> filter.prompts();
                };
        if (wanted) {
            queue.listChanged(kind, params(JsonObject.EMPTY));
        }
    }

    /**
     * {@inheritDoc} Whether the client may see the resource is found out by the thread that sends:
     * one whose check blocks or fails keeps no other from the change.
     */
    @Override
    public void resourceUpdated(String uri) {
        if (isWatched(uri)) {
            queue.add(
                    new OutgoingNotifications.Unsent(
                            Notifications.RESOURCE_UPDATED,
                            uri,
                            () -> visibility.isVisible(uri, caller) ? updated(uri) : null));
        }
    }

    private JsonRpcNotification updated(String uri) {
        return new JsonRpcNotification(
                Notifications.RESOURCE_UPDATED.name(), params(JsonObject.of("uri", uri)));
    }

    private boolean isWatched(String uri) {
        return filter.uris().stream()
                .anyMatch(watched -> ResourceUpdatedNotification.isSameOrBelow(uri, watched));
    }

    @Override
    public void onClose(Runnable action) {
        closeActions.add(action);
    }

    /**
     * Announces the changes that another stream of the same caller has not sent yet: the client may
     * close that one as soon as this one is acknowledged.
     */
    void takeUnsent(ListenStream other) {
        for (OutgoingNotifications.Unsent change : other.queue.unsent()) {
            Notification<?> kind = change.notification();
            if (kind == Notifications.TOOL_LIST_CHANGED) {
                toolsChanged();
            } else if (kind == Notifications.PROMPT_LIST_CHANGED) {
                promptsChanged();
            } else if (kind == Notifications.RESOURCE_LIST_CHANGED) {
                resourcesChanged();
            } else if (kind == Notifications.RESOURCE_UPDATED) {
                resourceUpdated(change.about());
            } else if (tasks != null) {
                tasks.changed(change.about());
            }
        }
    }

    /** Stops sending notifications. */
    void close() {
        queue.close();
        if (tasks != null) {
            tasks.close();
        }
        Timers.Timer timer = expiry.get();
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Sends the acknowledgement, the first message of the stream. */
    void acknowledge(WireFace face) {
        JsonRpcNotification acknowledged =
                face.notification(
                        Notifications.SUBSCRIPTIONS_ACKNOWLEDGED,
                        new SubscriptionsAcknowledgedNotification(
                                filter, meta(), JsonObject.EMPTY));
        try {
            request.send(acknowledged);
        } catch (ConnectionException e) { // the client is gone, which ends the stream
            LOGGER.log(
                    Level.DEBUG,
                    "{0} was not acknowledged: {1}",
                    Methods.LISTEN.name(),
                    e.getMessage());
        }
    }

    /** Ends the stream with its result; on a pipe a cancellation follows it. */
    void finish(String reason) {
        close();
        JsonObject result = JsonObject.of("resultType", "complete", "_meta", meta());
        request.finish(
                RawJson.of(result),
                () -> {
                    cancelOnPipe(reason);
                    ended.countDown();
                });
    }

    private void cancelOnPipe(String reason) {
        if (!request.exchange().isPipe()) {
            return;
        }
        JsonObject params = JsonObject.of("requestId", request.id().value(), "reason", reason);
        try {
            request.exchange()
                    .send(
                            new JsonRpcNotification(
                                    Notifications.CANCELLED.name(), RawJson.of(params)));
        } catch (ConnectionException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "The end of {0} was not sent: {1}",
                    Methods.LISTEN.name(),
                    e.getMessage());
        }
    }

    private RawJson params(JsonObject about) {
        JsonValue meta = meta();
        return RawJson.of(about.with("_meta", meta));
    }
}
