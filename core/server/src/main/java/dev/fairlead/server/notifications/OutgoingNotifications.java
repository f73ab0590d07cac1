package dev.fairlead.server.notifications;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The queue of a session for notifications of changes, so that a slow client delays no other: equal
 * notifications that still wait become one, which also bounds how many can wait. Nothing is sent
 * before the client is ready. There is a thread only while there is something to send. The monitor
 * of this object guards the queue, and is never held while sending.
 */
public final class OutgoingNotifications {
    private static final System.Logger LOGGER =
            System.getLogger(OutgoingNotifications.class.getName());

    private final Consumer<JsonRpcNotification> way;
    private @Nullable LinkedHashMap<String, Unsent> waiting;
    private @Nullable Unsent current; // which is being sent
    private boolean open;
    private boolean sending;
    private boolean closed;

    /**
     * A notification that is not sent yet.
     *
     * @param about its subject: of two of the same kind that wait, one is enough
     * @param making makes it, when its turn has come; null for nothing
     */
    public record Unsent(
            Notification<?> notification,
            String about,
            Supplier<@Nullable JsonRpcNotification> making) {
        String key() {
            return notification.name() + " " + about;
        }
    }

    public OutgoingNotifications(Consumer<JsonRpcNotification> way) {
        this.way = way;
    }

    /**
     * Sends soon that a list has changed.
     *
     * @param params null for none
     */
    public void listChanged(ListKind kind, @Nullable RawJson params) {
        Notification<?> notification =
                switch (kind) {
                    case TOOLS -> Notifications.TOOL_LIST_CHANGED;
                    case RESOURCES -> Notifications.RESOURCE_LIST_CHANGED;
                    case PROMPTS -> Notifications.PROMPT_LIST_CHANGED;
                };
        add(notification, "", params);
    }

    /** Sends soon that a resource has changed. */
    public void resourceUpdated(String uri, @Nullable RawJson params) {
        add(Notifications.RESOURCE_UPDATED, uri, params);
    }

    private void add(Notification<?> notification, String about, @Nullable RawJson params) {
        JsonRpcNotification made = new JsonRpcNotification(notification.name(), params);
        add(new Unsent(notification, about, () -> made));
    }

    /** Sends a notification soon; its maker runs on the thread that sends and may block. */
    public synchronized void add(Unsent notification) {
        if (!closed) {
            if (waiting == null) {
                waiting = new LinkedHashMap<>();
            }
            waiting.putIfAbsent(notification.key(), notification);
            startSending();
        }
    }

    /** Returns the waiting notifications, and the one that is being sent. */
    public synchronized List<Unsent> unsent() {
        List<Unsent> unsent = new ArrayList<>();
        if (current != null) {
            unsent.add(current);
        }
        if (waiting != null) {
            unsent.addAll(waiting.values());
        }
        return unsent;
    }

    /** Sends the waiting notifications, since the client is ready, and later ones at once. */
    public synchronized void open() {
        open = true;
        startSending();
    }

    private void startSending() {
        if (open && !sending && waiting != null) {
            Thread.ofVirtual().name("mcp-notices").start(this::send);
            sending = true; // not where there is no thread: the next notification tries again
        }
    }

    private void send() {
        for (var next = next(); next != null; next = next()) {
            try {
                JsonRpcNotification made = next.making().get();
                if (made != null && !isClosed()) { // it may have been closed meanwhile
                    way.accept(made);
                }
            } catch (ConnectionException e) {
                LOGGER.log(Level.DEBUG, "{0} was not sent: {1}", next.key(), e.getMessage());
            } catch (Throwable e) { // after any failure, the next one is to be sent
                LimitedLog.failed(LOGGER, Level.ERROR, "", e, "{0} was not sent", next.key());
            }
        }
    }

    private synchronized @Nullable Unsent next() {
        Map.Entry<String, Unsent> first = waiting == null ? null : waiting.pollFirstEntry();
        current = first == null ? null : first.getValue();
        if (first == null) {
            waiting = null;
            sending = false;
        }
        return current;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    public synchronized void close() {
        closed = true;
        waiting = null;
    }
}
