package dev.fairlead.protocol.engine;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs notifications one after the other, in the order in which they came. There is a thread only
 * while there is something to do, so an idle connection holds none.
 */
final class NotificationQueue {
    private static final System.Logger LOGGER = System.getLogger(NotificationQueue.class.getName());

    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;
    private boolean closed;
    private long dropped;

    NotificationQueue(int limit) {
        this.limit = limit;
    }

    void add(Runnable notification) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (waiting.size() >= limit) {
                if (dropped++ == 0) {
                    LOGGER.log(
                            Level.WARNING,
                            "The peer floods: more than {0} notifications wait, the rest is"
                                    + " dropped",
                            limit);
                }
                return;
            }
            waiting.addLast(notification);
            if (!running) {
                running = true;
                Thread.ofVirtual().name("mcp-notifications").start(this::drain);
            }
        } finally {
            lock.unlock();
        }
    }

    private void drain() {
        while (true) {
            Runnable next;
            lock.lock();
            try {
                next = waiting.pollFirst();
                if (next == null) {
                    running = false;
                    dropped = 0;
                    return;
                }
            } finally {
                lock.unlock();
            }
            try {
                next.run();
            } catch (RuntimeException e) {
                LOGGER.log(Level.ERROR, "A notification could not be handled", e);
            }
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            waiting.clear();
        } finally {
            lock.unlock();
        }
    }
}
