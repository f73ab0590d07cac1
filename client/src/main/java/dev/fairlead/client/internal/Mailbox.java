package dev.fairlead.client.internal;

import dev.fairlead.jsonrpc.CallException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Hands what a server tells to a listener of the user, one after the other, so that a slow listener
 * holds up nothing but itself. Of more than the limit the oldest are dropped. There is a thread
 * only while there is something to hand over.
 *
 * @param <T> what is told
 */
public final class Mailbox<T> implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Mailbox.class.getName());

    private final String name;
    private final int limit;
    private final Listener<T> listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<T> waiting = new ArrayDeque<>();
    private @Nullable Thread reader;
    private boolean closed;
    private boolean overflowing;

    public Mailbox(String name, int limit, Listener<T> listener) {
        this.name = name;
        this.limit = limit;
        this.listener = listener;
    }

    /** Runs code of users. */
    @FunctionalInterface
    public interface Listener<T> {
        void hear(T item) throws Exception;
    }

    public void put(T item) {
        lock.lock();
        try {
            add(item);
        } finally {
            lock.unlock();
        }
    }

    /** Puts an item unless an equal one is waiting, so that a burst is heard once. */
    public void putOnce(T item) {
        lock.lock();
        try {
            if (!waiting.contains(item)) {
                add(item);
            }
        } finally {
            lock.unlock();
        }
    }

    private void add(T item) {
        if (closed) {
            return;
        }
        if (waiting.size() >= limit) {
            waiting.removeFirst();
            if (!overflowing) {
                overflowing = true;
                LOGGER.log(
                        Level.WARNING,
                        "{0}: more than {1} wait for a slow listener, the oldest are dropped",
                        name,
                        limit);
            }
        }
        waiting.addLast(item);
        if (reader == null) {
            reader = Thread.ofVirtual().name("mcp-" + name).start(this::drain);
        }
    }

    private void drain() {
        for (T item = next(); item != null; item = next()) {
            try {
                listener.hear(item);
            } catch (InterruptedException e) {
                // only close() interrupts: the next round ends
            } catch (CallException e) { // of a request that it sent
                LOGGER.log(Level.INFO, "{0}: a listener gave up: {1}", name, e.getMessage());
            } catch (Exception e) {
                LOGGER.log(Level.WARNING, name + ": a listener failed", e);
            }
        }
    }

    private @Nullable T next() {
        lock.lock();
        try {
            T item = waiting.pollFirst();
            if (item == null) {
                reader = null;
                overflowing = false;
            }
            return item;
        } finally {
            lock.unlock();
        }
    }

    /** Drops what waits and interrupts the listener, unless it is the listener that closes. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            waiting.clear();
            if (reader != null && !reader.equals(Thread.currentThread())) {
                reader.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
