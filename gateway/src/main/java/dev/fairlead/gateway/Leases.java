package dev.fairlead.gateway;

import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connections to servers of the revisions with a handshake, for calls of clients without sessions
 * that may be asked. Each is used by one call at a time; idle ones are kept for a while for calls
 * of the same owner. The lock is never held while one is opened or closed. Thread-safe.
 */
final class Leases implements AutoCloseable {
    private final UpstreamSettings settings;
    private final Timers timers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<Key, Deque<Lease>> idle = new HashMap<>(); // guarded by lock
    private final Set<Lease> idleByAge = new LinkedHashSet<>(); // guarded by lock; oldest first
    private final Map<Object, Integer> perOwner = new HashMap<>(); // guarded by lock
    private int all; // guarded by lock
    private boolean closed; // guarded by lock

    /**
     * The user of a connection, and its server.
     *
     * @param owner of the connection, by whom it is counted
     */
    record Key(Object owner, Downstream client, String server) {}

    /** Opens a connection. */
    @FunctionalInterface
    interface Opening {
        Lease open() throws InterruptedException;
    }

    Leases(UpstreamSettings settings, Timers timers) {
        this.settings = settings;
        this.timers = timers;
    }

    /**
     * Takes a connection that no other call uses; waits for one if there are too many.
     *
     * @throws dev.fairlead.jsonrpc.JsonRpcException if none became free in time
     */
    Lease take(Key key, Opening opening) throws InterruptedException {
        while (true) {
            Lease kept;
            Lease evicted = null;
            lock.lockInterruptibly();
            try {
                awaitRoom(key);
                kept = newest(key);
                if (kept == null) {
                    evicted = makeRoom(key.owner());
                    all++;
                    perOwner.merge(key.owner(), 1, Integer::sum);
                }
            } finally {
                lock.unlock();
            }
            if (evicted != null) {
                evicted.close();
            }
            if (kept == null) {
                return open(key, opening);
            }
            if (!kept.isLost()) {
                return kept;
            }
            drop(kept);
        }
    }

    /** Waits until there is a connection for a call, or room for one, or the time is over. */
    private void awaitRoom(Key key) throws InterruptedException {
        long left = settings.connectWait.toNanos();
        while (left > 0 && !closed && !hasRoom(key)) {
            left = freed.awaitNanos(left);
        }
    }

    private boolean hasRoom(Key key) {
        Object owner = key.owner();
        if (idle.containsKey(key)) {
            return true;
        }
        return isFull(owner)
                ? idleByAge.stream().anyMatch(kept -> kept.key().owner().equals(owner))
                : all < settings.maxCallConnections || !idleByAge.isEmpty();
    }

    private boolean isFull(Object owner) {
        return perOwner.getOrDefault(owner, 0) >= settings.maxCallConnectionsPerOwner;
    }

    private Lease open(Key key, Opening opening) throws InterruptedException {
        Lease opened = null;
        try {
            opened = opening.open();
            return opened;
        } finally {
            if (opened == null) {
                free(key);
            }
        }
    }

    private @Nullable Lease newest(Key key) {
        Deque<Lease> kept = idle.get(key);
        Lease newest = kept == null ? null : kept.peekLast();
        if (newest != null) {
            removeIdle(newest);
        }
        return newest;
    }

    private void removeIdle(Lease lease) {
        idleByAge.remove(lease);
        idle.computeIfPresent(
                lease.key(),
                (key, kept) -> {
                    kept.remove(lease);
                    return kept.isEmpty() ? null : kept;
                });
        if (lease.idle != null) {
            lease.idle.cancel();
            lease.idle = null;
        }
    }

    /** Gives the place of an idle connection to another one if all are taken. */
    private @Nullable Lease makeRoom(Object owner) {
        if (closed) {
            throw RetryableError.exception(McpErrorCode.LIMIT_EXCEEDED, "The gateway is closing");
        }
        boolean ownerIsFull = isFull(owner);
        if (!ownerIsFull && all < settings.maxCallConnections) {
            return null;
        }
        for (Lease lease : idleByAge) {
            if (!ownerIsFull || lease.key().owner().equals(owner)) {
                removeIdle(lease);
                count(lease.key());
                return lease;
            }
        }
        throw RetryableError.exception(
                McpErrorCode.LIMIT_EXCEEDED,
                ownerIsFull
                        ? "A caller may have %d connections for calls at a time"
                                .formatted(settings.maxCallConnectionsPerOwner)
                        : "The gateway has %d connections for calls, which is the most"
                                .formatted(settings.maxCallConnections));
    }

    /** One fewer; with the lock. */
    private void count(Key key) {
        all--;
        freed.signalAll();
        perOwner.computeIfPresent(key.owner(), (owner, many) -> many == 1 ? null : many - 1);
    }

    private void free(Key key) {
        lock.lock();
        try {
            count(key);
        } finally {
            lock.unlock();
        }
    }

    private void drop(Lease lease) {
        lease.close();
        free(lease.key());
    }

    /** Gives a connection back after a call. */
    void giveBack(Lease lease) {
        boolean kept = false;
        lock.lock();
        try {
            if (!closed && !lease.isLost()) {
                idle.computeIfAbsent(lease.key(), key -> new ArrayDeque<>()).addLast(lease);
                idleByAge.add(lease);
                lease.idle = timers.schedule(settings.idleTimeout, () -> expire(lease));
                kept = true;
                freed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (!kept) {
            drop(lease);
        }
    }

    private void expire(Lease lease) {
        boolean expired;
        lock.lock();
        try {
            expired = idleByAge.contains(lease);
            if (expired) {
                removeIdle(lease);
            }
        } finally {
            lock.unlock();
        }
        if (expired) {
            Thread.ofVirtual().name("mcp-gateway-idle").start(() -> drop(lease));
        }
    }

    /** Returns how many connections there are. */
    int size() {
        lock.lock();
        try {
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the idle connections; others are closed when their calls end. */
    @Override
    public void close() {
        List<Lease> ending;
        lock.lock();
        try {
            closed = true;
            freed.signalAll();
            ending = new ArrayList<>(idleByAge);
            ending.forEach(this::removeIdle);
        } finally {
            lock.unlock();
        }
        ending.forEach(this::drop);
    }
}
