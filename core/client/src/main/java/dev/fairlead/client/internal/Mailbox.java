package dev.fairlead.client.internal;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.function.ToLongFunction;

/**
 * Hands the items of a server to a listener of the user, one after the other, so that a slow
 * listener delays only itself. Beyond the limits of items and bytes the oldest are dropped; a
 * single item may exceed the limit of bytes alone. There is a thread only while there is something
 * to hand over.
 *
 * @param <T> the type of the items
 */
public final class Mailbox<T> implements AutoCloseable {
    /** The most bytes that wait, unless configured. */
    public static final long MAX_BYTES = 4 << 20;

    private static final System.Logger LOGGER = System.getLogger(Mailbox.class.getName());

    private final String name;
    private final int limit;
    private final long maxBytes;
    private final ToLongFunction<T> size;
    private final @Nullable Listener<T> listener;

    // guarded by this
    private final ArrayDeque<T> waiting = new ArrayDeque<>();
    private @Nullable Thread reader;
    private long bytes;
    private boolean closed;
    private boolean overflowing;

    /** Creates a mailbox for small items that this side makes, whose bytes are not counted. */
    public Mailbox(String name, int limit, Listener<T> listener) {
        this(name, limit, MAX_BYTES, item -> 0, listener);
    }

    /**
     * Creates a mailbox.
     *
     * @param limit the most items that wait
     * @param maxBytes the most bytes of them
     * @param size returns the bytes of an item; the same each time, and without blocking
     * @param listener receives the items; null drops them
     */
    public Mailbox(
            String name,
            int limit,
            long maxBytes,
            ToLongFunction<T> size,
            @Nullable Listener<T> listener) {
        this.name = name;
        this.limit = limit;
        this.maxBytes = maxBytes;
        this.size = size;
        this.listener = listener;
    }

    /** Runs code of users. */
    @FunctionalInterface
    public interface Listener<T> {
        void receive(T item) throws Exception;
    }

    public void put(T item) {
        put(item, false);
    }

    /** Puts an item unless an equal one is waiting, so that the listener receives a burst once. */
    public void putOnce(T item) {
        put(item, true);
    }

    private void put(T item, boolean once) {
        if (listener != null && add(item, listener, once)) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    "",
                    "{0}: {1} items or {2} bytes wait for a slow listener, the oldest are dropped",
                    name,
                    limit,
                    maxBytes);
        }
    }

    /** Adds an item. Returns whether this is the first for which others are dropped. */
    private synchronized boolean add(T item, Listener<T> receiver, boolean once) {
        if (closed || (once && waiting.contains(item))) {
            return false;
        }
        boolean before = overflowing;
        long added = size.applyAsLong(item);
        while (!waiting.isEmpty() && (waiting.size() >= limit || bytes + added > maxBytes)) {
            bytes -= size.applyAsLong(waiting.removeFirst());
            overflowing = true;
        }
        waiting.addLast(item);
        bytes += added;
        if (reader == null) {
            reader = Thread.ofVirtual().name("mcp-" + name).start(() -> drain(receiver));
        }
        return overflowing && !before;
    }

    private void drain(Listener<T> receiver) {
        for (T item = next(); item != null; item = next()) {
            try {
                receiver.receive(item);
            } catch (InterruptedException e) {
                // only close() interrupts: the next round ends
            } catch (CallException e) { // of a request that it sent
                LimitedLog.log(
                        LOGGER,
                        Level.INFO,
                        "",
                        "{0}: a listener gave up: {1}",
                        name,
                        Printable.excerpt(e.getMessage()));
            } catch (Throwable e) { // after any failure, the next item is to be handed over
                LimitedLog.failed(LOGGER, Level.WARNING, "", e, "{0}: a listener failed", name);
            }
        }
    }

    private synchronized @Nullable T next() {
        T item = waiting.pollFirst();
        if (item == null) {
            reader = null;
            overflowing = false;
        } else {
            bytes -= size.applyAsLong(item);
        }
        return item;
    }

    /**
     * Drops the waiting items and interrupts the listener, unless it is the listener that closes.
     */
    @Override
    public synchronized void close() {
        closed = true;
        waiting.clear();
        bytes = 0;
        if (reader != null && !reader.equals(Thread.currentThread())) {
            reader.interrupt();
        }
    }
}
