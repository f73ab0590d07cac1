package dev.fairlead.server.notifications;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.function.Consumer;

/**
 * What a session is to be told of changes, so that a slow client holds nobody up: equal notices
 * that still wait become one, which also bounds how many can wait. Nothing is sent before the
 * client is ready. There is a thread only while there is something to send. The monitor of this
 * object guards what waits, and is never held while sending.
 */
public final class OutgoingNotifications {
    private static final System.Logger LOGGER =
            System.getLogger(OutgoingNotifications.class.getName());

    private final Consumer<JsonRpcNotification> way;
    private final LinkedHashMap<String, JsonRpcNotification> waiting = new LinkedHashMap<>();
    private boolean open;
    private boolean sending;
    private boolean closed;

    public OutgoingNotifications(Consumer<JsonRpcNotification> way) {
        this.way = way;
    }

    /**
     * Sends a notification soon.
     *
     * @param about what it is about: of two with the same method that wait, one is enough
     */
    public synchronized void add(String about, JsonRpcNotification notification) {
        if (!closed) {
            waiting.putIfAbsent(notification.method() + " " + about, notification);
            startSending();
        }
    }

    /** The client is ready: what waits is sent, and what comes from now on at once. */
    public synchronized void open() {
        open = true;
        startSending();
    }

    private void startSending() {
        if (open && !sending && !waiting.isEmpty()) {
            sending = true;
            Thread.ofVirtual().name("mcp-notices").start(this::send);
        }
    }

    private void send() {
        for (JsonRpcNotification next = next(); next != null; next = next()) {
            try {
                way.accept(next);
            } catch (ConnectionException e) {
                LOGGER.log(
                        Level.DEBUG, "{0} was not delivered: {1}", next.method(), e.getMessage());
            } catch (RuntimeException e) {
                LOGGER.log(Level.ERROR, next.method() + " was not delivered", e);
            }
        }
    }

    private synchronized @Nullable JsonRpcNotification next() {
        var first = waiting.pollFirstEntry();
        if (first == null) {
            sending = false;
            return null;
        }
        return first.getValue();
    }

    public synchronized void close() {
        closed = true;
        waiting.clear();
    }
}
