package dev.fairlead.gateway;

import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Connections to servers that may ask beside their answers, for calls of clients without sessions
 * that may be asked: those of the revisions with a handshake, and others in tasks. Each is used by
 * one call at a time; idle ones are kept for a while for calls of the same owner. The connections
 * that calls of an owner share count as one of its connections. The lock is never held while one is
 * opened or closed. Thread-safe.
 */
final class Leases implements AutoCloseable {
    private final UpstreamSettings settings;
    private final Timers timers;
    private final ReentrantLock lock;
    private final Function<Object, @Nullable Runnable> unusedShared;
    private final Condition freed;
    private final Map<Key, Deque<Lease>> idle = new HashMap<>(); // guarded by lock
    private final Set<Lease> idleByAge = new LinkedHashSet<>(); // guarded by lock; oldest first
    private final Map<Object, Integer> perOwner = new HashMap<>(); // guarded by lock
    private final Set<Object> left = new HashSet<>(); // owners with places; guarded by lock
    private int all; // guarded by lock
    private boolean closed; // guarded by lock

    /**
     * The user of a connection, and its server.
     *
     * @param era of the server
     */
    record Key(Downstream client, String server, Era era) {
        Object owner() {
            return client.owner();
        }
    }

    /** Opens a connection. */
    @FunctionalInterface
    interface Opening {
        Lease open() throws InterruptedException;
    }

    /**
     * @param lock also guards the connections that calls share
     * @param unusedShared frees the place of shared connections that no call of an owner uses; null
     *     if there are none
     */
    Leases(
            UpstreamSettings settings,
            Timers timers,
            ReentrantLock lock,
            Function<Object, @Nullable Runnable> unusedShared) {
        this.settings = settings;
        this.timers = timers;
        this.lock = lock;
        this.unusedShared = unusedShared;
        this.freed = lock.newCondition();
    }

    /**
     * Takes a connection that no other call uses; waits for one if there are too many.
     *
     * @param holdShared takes the shared connection if it is free
     * @return null if the call has the shared connection
     * @throws dev.fairlead.jsonrpc.JsonRpcException if none became free in time
     */
    @Nullable Lease take(Key key, BooleanSupplier holdShared, Opening opening)
            throws InterruptedException {
        while (true) {
            Lease kept;
            lock.lockInterruptibly();
            try {
                if (awaitRoom(key, holdShared)) {
                    return null;
                }
                kept = newest(key);
                if (kept == null) {
                    makeRoom(key.owner());
                }
            } finally {
                lock.unlock();
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

    /**
     * Waits until there is a connection for a call, or room for one, or the time is over.
     *
     * @return whether it is the shared one
     */
    private boolean awaitRoom(Key key, BooleanSupplier holdShared) throws InterruptedException {
        long left = settings.connectWait.toNanos();
        boolean shared = holdShared.getAsBoolean();
        while (!shared && left > 0 && !closed && !hasRoom(key)) {
            left = freed.awaitNanos(left);
            shared = holdShared.getAsBoolean();
        }
        return shared;
    }

    private boolean hasRoom(Key key) {
        Object owner = key.owner();
        if (idle.containsKey(key) || oldest(owner) != null) {
            return true;
        }
        return (all < settings.maxCallConnections || !idleByAge.isEmpty())
                && (!isFull(owner) || unusedShared.apply(owner) != null);
    }

    private @Nullable Lease oldest(Object owner) {
        return idleByAge.stream()
                .filter(kept -> kept.key().owner().equals(owner))
                .findFirst()
                .orElse(null);
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

    /** Counts one more, in place of one that is not in use if all places are taken. */
    private void makeRoom(Object owner) {
        if (closed) {
            throw RetryableError.exception(McpErrorCode.LIMIT_EXCEEDED, "The gateway is closing");
        }
        takePlace(owner);
        if (all >= settings.maxCallConnections) {
            if (idleByAge.isEmpty()) {
                freePlace(owner);
                throw RetryableError.exception(
                        McpErrorCode.LIMIT_EXCEEDED,
                        "The gateway has %s connections for calls, which is the most"
                                .formatted(settings.maxCallConnections));
            }
            evict(idleByAge.iterator().next());
        }
        all++;
    }

    private void evict(Lease lease) {
        removeIdle(lease);
        count(lease.key());
        Upstreams.closeApart(lease::close);
    }

    /**
     * Takes a place of an owner, that of connections which are not in use if all are taken; with
     * the lock.
     *
     * @throws dev.fairlead.jsonrpc.JsonRpcException if all are in use
     */
    void takePlace(Object owner) {
        if (isFull(owner)) {
            Lease idle = oldest(owner);
            Runnable eviction = idle == null ? unusedShared.apply(owner) : () -> evict(idle);
            if (eviction == null) {
                throw RetryableError.exception(
                        McpErrorCode.LIMIT_EXCEEDED,
                        "Connection limit of the caller reached (%s); try again later"
                                .formatted(settings.maxCallConnectionsPerOwner));
            }
            eviction.run();
        }
        perOwner.merge(owner, 1, Integer::sum);
    }

    /** Gives a place back; with the lock. */
    void freePlace(Object owner) {
        perOwner.computeIfPresent(owner, (key, many) -> many == 1 ? null : many - 1);
        if (!perOwner.containsKey(owner)) {
            left.remove(owner);
        }
        freed.signalAll();
    }

    /** An owner sends no more calls: has its idle connections closed; with the lock. */
    void ownerLeft(Object owner) {
        for (Lease kept = oldest(owner); kept != null; kept = oldest(owner)) {
            evict(kept);
        }
        if (perOwner.containsKey(owner)) {
            left.add(owner);
        }
    }

    /** Returns whether an owner that still has connections sends no more calls; with the lock. */
    boolean hasLeft(Object owner) {
        return left.contains(owner);
    }

    /** Has calls that wait try again: a shared connection is free, or no longer in use. */
    void signal() {
        lock.lock();
        try {
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** One connection fewer; with the lock. */
    private void count(Key key) {
        all--;
        freePlace(key.owner());
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
            if (!closed && !lease.isLost() && !hasLeft(lease.key().owner())) {
                idle.computeIfAbsent(lease.key(), key -> new ArrayDeque<>()).addLast(lease);
                idleByAge.add(lease);
                lease.idle =
                        timers.schedule(
                                settings.idleTimeout,
                                () -> Upstreams.closeApart(() -> expire(lease)));
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
            drop(lease);
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
