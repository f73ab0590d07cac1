package dev.fairlead.protocol.engine;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;

/**
 * Runs notifications one after the other, in the order in which they came. There is a thread only
 * while there is something to do, so an idle connection holds none.
 */
final class NotificationQueue {
    private static final System.Logger LOGGER = System.getLogger(NotificationQueue.class.getName());

    private final int limit;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(0);
    private boolean running;
    private boolean closed;
    private long dropped;

    NotificationQueue(int limit) {
        this.limit = limit;
    }

    void add(Runnable notification) {
        if (isFirstDropped(notification)) {
            LOGGER.log(
                    Level.WARNING,
                    "The peer floods: more than {0} notifications wait, the rest is dropped",
                    limit);
        }
    }

    /** Adds one; true if it is the first that finds no place. */
    private synchronized boolean isFirstDropped(Runnable notification) {
        if (closed) {
            return false;
        }
        if (waiting.size() >= limit) {
            return dropped++ == 0;
        }
        waiting.addLast(notification);
        if (!running) {
            running = true;
            Thread.ofVirtual().name("mcp-notifications").start(this::drain);
        }
        return false;
    }

    private void drain() {
        for (Runnable next = next(); next != null; next = next()) {
            try {
                next.run();
            } catch (RuntimeException e) {
                LOGGER.log(Level.ERROR, "A notification could not be handled", e);
            }
        }
    }

    /** The next one; null once there is none, and the thread is to end. */
    private synchronized @Nullable Runnable next() {
        Runnable next = waiting.pollFirst();
        if (next == null) {
            running = false;
            dropped = 0;
        }
        return next;
    }

    synchronized void close() {
        closed = true;
        waiting.clear();
    }
}
