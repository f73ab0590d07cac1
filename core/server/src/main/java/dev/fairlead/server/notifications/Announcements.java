package dev.fairlead.server.notifications;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.PeerSession;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.resources.ResourceUpdatedNotification;
import dev.fairlead.server.lifecycle.KeptBytes;
import dev.fairlead.server.lifecycle.NegotiatedSession;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The notifications to one client that belong to none of its requests: of the resources that it
 * watches, of lists that change, and log messages of its level. Thread-safe.
 */
public final class Announcements {
    private final PeerSession<NegotiatedSession> session;
    private final OutgoingNotifications queue;
    private final int maxSubscriptions;
    private final KeptBytes.Share kept;
    private final Runnable onChange;
    private final Set<String> watched = ConcurrentHashMap.newKeySet(); // its monitor: additions
    private volatile LoggingLevel loggingLevel;

    /**
     * @param loggingLevel the level until the client sets one
     * @param kept counts the subscriptions
     * @param onChange runs when the client has changed its subscriptions or its level; may fail
     */
    public Announcements(
            PeerSession<NegotiatedSession> session,
            int maxSubscriptions,
            LoggingLevel loggingLevel,
            KeptBytes.Share kept,
            Runnable onChange) {
        this.session = session;
        this.queue = new OutgoingNotifications(session.connection()::notify);
        this.maxSubscriptions = maxSubscriptions;
        this.kept = kept;
        this.loggingLevel = loggingLevel;
        this.onChange = onChange;
    }

    /** Restores the level and the subscriptions that the client had in another process. */
    public void restore(LoggingLevel level, List<String> uris) {
        loggingLevel = level;
        watched.addAll(uris);
    }

    /** Sends the waiting notifications, since the client is ready, and later ones at once. */
    public void open() {
        queue.open();
    }

    public void close() {
        queue.close();
        watched.clear();
    }

    public void setLevel(LoggingLevel level) {
        loggingLevel = level;
        onChange.run();
    }

    public LoggingLevel level() {
        return loggingLevel;
    }

    public boolean wantsLog(LoggingLevel level) {
        return level.isAtLeast(loggingLevel);
    }

    public void subscribe(String uri) {
        synchronized (watched) { // else several requests could take the last place
            if (!watched.contains(uri)) {
                if (watched.size() >= maxSubscriptions) {
                    throw new JsonRpcException(
                            McpErrorCode.LIMIT_EXCEEDED,
                            "Too many subscriptions: at most " + maxSubscriptions + " are kept");
                }
                kept.take(weight(uri));
                watched.add(uri);
            }
        }
        onChange.run(); // also for an existing one: it may not be stored yet
    }

    /** Returns the bytes that subscriptions take. */
    public static long weight(List<String> uris) {
        return uris.stream().mapToLong(Announcements::weight).sum();
    }

    /** The URI, its place, and the notification of it that may wait. */
    private static long weight(String uri) {
        return 2 * HeapSize.of(uri);
    }

    public List<String> subscriptions() {
        return watched.stream().sorted().toList();
    }

    public boolean watches(String uri) {
        return watched.contains(uri);
    }

    public void unsubscribe(String uri) {
        if (watched.remove(uri)) {
            kept.release(weight(uri));
        }
        onChange.run(); // also for a removed one: that may not be stored yet
    }

    /** Sends that a resource changed, if the client watches it. */
    public void resourceUpdated(String uri) {
        if (!watches(uri)) {
            return;
        }
        var notification = new ResourceUpdatedNotification(uri);
        session.negotiated()
                .map(
                        agreed ->
                                agreed.face()
                                        .writeNotification(
                                                Notifications.RESOURCE_UPDATED, notification))
                .ifPresent(params -> queue.resourceUpdated(uri, params));
    }

    /** Announces every resource that the client watches as updated. */
    public void allUpdated() {
        watched.forEach(this::resourceUpdated);
    }

    /** Sends that a list changed, if the server declared that to the client. */
    public void listChanged(ListKind kind) {
        if (session.negotiated()
                .map(NegotiatedSession::declared)
                .filter(capabilities -> promised(capabilities, kind))
                .isPresent()) {
            queue.listChanged(kind, null);
        }
    }

    private static boolean promised(ServerCapabilities declared, ListKind kind) {
        return switch (kind) {
            case TOOLS -> declared.toolsListChanged();
            case RESOURCES -> declared.resourcesListChanged();
            case PROMPTS -> declared.promptsListChanged();
        };
    }
}
