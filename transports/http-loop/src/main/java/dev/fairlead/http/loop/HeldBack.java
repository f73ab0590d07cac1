package dev.fairlead.http.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The connections whose responses wait until those to other requests of the same turn of a loop are
 * ready. A client that waits for several of them is woken by the first one that is written, which
 * costs more than to write it, and finds the others there. Used by the loop.
 *
 * @param <C> a connection
 */
final class HeldBack<C> {
    /** How many connections wait at most. */
    static final int MOST = 16;

    /** How long the first one waits, unless a handler takes longer. */
    static final long WITHIN_NANOS = 100_000;

    private final LongSupplier nanoTime;
    private final List<C> connections = new ArrayList<>(MOST);
    private long since;

    HeldBack() {
        this(System::nanoTime);
    }

    HeldBack(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void add(C connection) {
        if (connections.isEmpty()) {
            since = nanoTime.getAsLong();
        }
        connections.add(connection);
    }

    /** Returns whether they have waited long enough, or are enough. */
    boolean isDue() {
        return !connections.isEmpty()
                && (connections.size() >= MOST || nanoTime.getAsLong() - since > WITHIN_NANOS);
    }

    /** Removes all of them, in their order. */
    void removeAll(Consumer<C> action) {
        connections.forEach(action);
        connections.clear();
    }
}
