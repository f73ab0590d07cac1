package dev.fairlead.server.notifications;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The queue of a session for notifications of changes, so that a slow client delays no other: equal
 * notifications that still wait become one, which also bounds how many can wait. Nothing is sent
 * before the client is ready. There is a thread only while there is something to send. The monitor
 * of this object guards what waits, and is never held while sending.
 */
public final class OutgoingNotifications {
    private static final System.Logger LOGGER =
            System.getLogger(OutgoingNotifications.class.getName());

    private final Consumer<JsonRpcNotification> way;
    private final LinkedHashMap<String, Supplier<@Nullable JsonRpcNotification>> waiting =
            new LinkedHashMap<>();
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
    public void add(String about, JsonRpcNotification notification) {
        add(notification.method(), about, () -> notification);
    }

    /**
     * Sends soon a notification that is made when its turn has come.
     *
     * @param making runs on the thread that sends and may block; null for nothing
     */
    public synchronized void add(
            String method, String about, Supplier<@Nullable JsonRpcNotification> making) {
        if (!closed) {
            waiting.putIfAbsent(method + " " + about, making);
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
        for (var next = next(); next != null; next = next()) {
            try {
                JsonRpcNotification made = next.getValue().get();
                if (made != null && !isClosed()) { // it may have been closed meanwhile
                    way.accept(made);
                }
            } catch (ConnectionException e) {
                LOGGER.log(Level.DEBUG, "{0} was not sent: {1}", next.getKey(), e.getMessage());
            } catch (RuntimeException e) {
                LOGGER.log(Level.ERROR, next.getKey() + " was not sent", e);
            }
        }
    }

    private synchronized Map.@Nullable Entry<String, Supplier<@Nullable JsonRpcNotification>>
            next() {
        var first = waiting.pollFirstEntry();
        if (first == null) {
            sending = false;
        }
        return first;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    public synchronized void close() {
        closed = true;
        waiting.clear();
    }
}
