package dev.fairlead.client.handlers;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.client.link.LinkContext;
import dev.fairlead.client.tasks.ServerTasks;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.logging.LoggingMessageNotification;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Puts each notification of the server into the mailboxes of its listeners. Each listener has its
 * own, so that it delays neither the others nor the connection.
 */
public final class Notices implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Notices.class.getName());
    private static final int WAITING = 1_000;

    private final LinkContext context;
    private final UrlElicitations visits;
    private final ServerTasks tasks;
    private final ClientSettings settings;
    private final Mailbox<Delivery<?>> log;
    private final Mailbox<Notification<?>> lists;
    private final Mailbox<String> updates;
    private final Mailbox<Delivery<?>> own;
    private final Mailbox<SessionExpiredException> sessions;
    private final Mailbox<ConnectionException> losses;

    /** An item with its listener, and with its bytes in memory, roughly. */
    private record Delivery<T>(Mailbox.Listener<T> listener, T item, long size) {
        void deliver() throws Exception {
            listener.receive(item);
        }
    }

    public Notices(
            LinkContext context,
            Mailbox.Listener<Notification<?>> listReader,
            UrlElicitations visits,
            ServerTasks tasks) {
        this.settings = context.settings();
        this.context = context;
        this.visits = visits;
        this.tasks = tasks;
        long bytes = settings.maxListenerBytes;
        this.log = new Mailbox<>("log", WAITING, bytes, Delivery::size, Delivery::deliver);
        this.lists = new Mailbox<>("lists", WAITING, listReader);
        this.updates =
                new Mailbox<>("updates", WAITING, bytes, HeapSize::of, settings.onResourceUpdated);
        this.own =
                new Mailbox<>("notifications", WAITING, bytes, Delivery::size, Delivery::deliver);
        this.sessions =
                new Mailbox<>("sessions", WAITING, bytes, Notices::size, settings.onNewSession);
        this.losses =
                new Mailbox<>("losses", WAITING, bytes, Notices::size, settings.onConnectionLost);
    }

    private static long size(Exception why) {
        return HeapSize.of(why.getMessage());
    }

    private static long size(LoggingMessageNotification entry) {
        return HeapSize.of(entry.data())
                + HeapSize.of(entry.logger())
                + HeapSize.of(entry.meta())
                + HeapSize.of(entry.otherMembers());
    }

    /** Waits until the log messages that have come so far were handled; false if not in time. */
    public boolean awaitLog(Connection connection, Duration limit, Timers timers)
            throws InterruptedException {
        AtomicBoolean handled = new AtomicBoolean();
        CountDownLatch over = new CountDownLatch(1);
        Delivery<CountDownLatch> mark =
                new Delivery<>(
                        reached -> {
                            handled.set(true);
                            reached.countDown();
                        },
                        over,
                        0);
        connection.afterNotifications(() -> log.put(mark));
        Timers.Timer timer = timers.schedule(limit, over::countDown);
        try {
            over.await();
        } finally {
            timer.cancel();
        }
        return handled.get();
    }

    /** Takes a notification; never blocks. Unknown and malformed ones are passed over. */
    public void handle(JsonRpcNotification notification, WireFace face) {
        Notification<?> known = face.notification(notification.method(), Side.CLIENT).orElse(null);
        if (known != null) {
            notify(known, notification.params(), face);
            return;
        }
        Mailbox.Listener<JsonObject> listener = settings.onNotification.get(notification.method());
        if (listener == null) {
            LOGGER.log(
                    Level.DEBUG,
                    "The notification {0} is passed over",
                    Printable.excerpt(notification.method()));
            return;
        }
        RawJson params = notification.params();
        JsonObject given = params == null ? JsonObject.EMPTY : (JsonObject) params.value();
        own.put(new Delivery<>(listener, given, HeapSize.of(given)));
    }

    private void notify(Notification<?> notification, @Nullable RawJson params, WireFace face) {
        if (notification.equals(Notifications.LOGGING_MESSAGE)) {
            Mailbox.Listener<LoggingMessageNotification> listener = settings.onLog;
            if (listener != null) {
                face.readNotification(Notifications.LOGGING_MESSAGE, params)
                        .ifPresent(entry -> log.put(new Delivery<>(listener, entry, size(entry))));
            }
        } else if (notification.equals(Notifications.RESOURCE_UPDATED)) {
            face.readNotification(Notifications.RESOURCE_UPDATED, params)
                    .ifPresent(updated -> updated(updated.uri()));
        } else if (notification.equals(Notifications.ELICITATION_COMPLETE)) {
            face.readNotification(Notifications.ELICITATION_COMPLETE, params)
                    .ifPresent(done -> visits.completed(done.elicitationId()));
        } else if (notification.equals(Notifications.TASK_STATUS)) {
            face.readNotification(Notifications.TASK_STATUS, params).ifPresent(tasks.all()::status);
        } else if (notification.equals(Notifications.TASK)) {
            face.readNotification(Notifications.TASK, params).ifPresent(tasks::changed);
        } else if (notification.equals(Notifications.TOOL_LIST_CHANGED)) {
            toolsChanged();
        } else if (notification.equals(Notifications.RESOURCE_LIST_CHANGED)) {
            resourcesChanged();
        } else if (notification.equals(Notifications.PROMPT_LIST_CHANGED)) {
            promptsChanged();
        }
    }

    private void toolsChanged() {
        context.tools().forget();
        context.cache().forget(Methods.LIST_TOOLS);
        listChanged(Notifications.TOOL_LIST_CHANGED, settings.onToolsChanged);
    }

    private void resourcesChanged() {
        context.cache().forget(Methods.LIST_RESOURCES, Methods.LIST_RESOURCE_TEMPLATES);
        listChanged(Notifications.RESOURCE_LIST_CHANGED, settings.onResourcesChanged);
    }

    private void promptsChanged() {
        context.cache().forget(Methods.LIST_PROMPTS);
        listChanged(Notifications.PROMPT_LIST_CHANGED, settings.onPromptsChanged);
    }

    /** Announces all changes that a stream grants: there was none for a while. Never blocks. */
    public void missed(NotificationFilter granted) {
        if (granted.tools()) {
            toolsChanged();
        }
        if (granted.resources()) {
            resourcesChanged();
        }
        if (granted.prompts()) {
            promptsChanged();
        }
        granted.uris().forEach(this::updated);
    }

    private void listChanged(Notification<?> notification, Mailbox.@Nullable Listener<?> listener) {
        if (listener != null) {
            listChanged(notification);
        }
    }

    /** Has a list read for its listener, which there must be. Never blocks. */
    public void listChanged(Notification<?> notification) {
        lists.putOnce(notification);
    }

    private void updated(String uri) {
        context.cache().forgetResource(uri);
        updates.putOnce(uri);
        context.resources().updated(uri);
    }

    /** A new session took the place of an expired one. */
    public void renewed(SessionExpiredException why) {
        sessions.put(why);
    }

    /** The connection is gone, and this side did not close it. */
    public void connectionLost(ConnectionException why) {
        losses.put(why);
    }

    @Override
    public void close() {
        List.of(log, lists, updates, own, sessions, losses).forEach(Mailbox::close);
    }
}
