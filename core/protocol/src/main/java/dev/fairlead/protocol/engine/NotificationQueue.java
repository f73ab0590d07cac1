package dev.fairlead.protocol.engine;

import dev.fairlead.protocol.relay.HandlerThread;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;

/**
 * Runs notifications one after the other, in the order in which they came. An idle connection holds
 * no thread.
 */
final class NotificationQueue {
    private static final System.Logger LOGGER = System.getLogger(NotificationQueue.class.getName());

    /** The greatest number of bytes of waiting notifications; a single one may exceed it alone. */
    static final int MAX_BYTES = 4 << 20;

    private final int limit;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);
    private long bytes;
    private boolean running;
    private boolean closed;
    private long dropped;

    private record Waiting(Runnable notification, int bytes) {}

    NotificationQueue(int limit) {
        this.limit = limit;
    }

    /**
     * Adds a notification, unless too many wait.
     *
     * @param size how many bytes it keeps while it waits
     */
    void add(Runnable notification, int size) {
        if (isFirstDropped(new Waiting(notification, size))) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    "",
                    "Notifications of the peer are dropped: {0} may wait, with {1} bytes",
                    limit,
                    MAX_BYTES);
        }
    }

    /** Adds a notification; true if it is the first one that is dropped. */
    private synchronized boolean isFirstDropped(Waiting added) {
        if (closed) {
            return false;
        }
        boolean large = !waiting.isEmpty() && bytes + added.bytes() > MAX_BYTES;
        if (waiting.size() >= limit || large) {
            return dropped++ == 0;
        }
        waiting.addLast(added);
        bytes += added.bytes();
        if (!running) {
            HandlerThread.start("mcp-notifications", this::drain);
            running = true; // not without a thread: the next notification tries again
        }
        return false;
    }

    private void drain() {
        for (Runnable next = next(); next != null; next = next()) {
            try {
                next.run();
            } catch (Throwable e) { // on any failure: the next one must be handled
                LimitedLog.failed(
                        LOGGER, Level.ERROR, "", e, "A notification could not be handled");
            }
        }
    }

    /** Returns the next notification; null if there is none, and the thread is to end. */
    private synchronized @Nullable Runnable next() {
        Waiting next = waiting.pollFirst();
        if (next == null) {
            running = false;
            dropped = 0;
            return null;
        }
        bytes -= next.bytes();
        return next.notification();
    }

    synchronized void close() {
        closed = true;
        waiting.clear();
        bytes = 0;
    }
}
