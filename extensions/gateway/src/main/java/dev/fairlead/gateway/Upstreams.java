package dev.fairlead.gateway;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.limits.Quota;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.call.HandlerCall;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.SubscriptionStream;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The connections of all sessions to the servers behind the gateway, and those of clients without
 * sessions, which are kept for a while after their last use. The lock is never held while one is
 * opened or closed.
 */
final class Upstreams implements AutoCloseable {
    private final Implementation gateway;
    private final UpstreamSettings settings;
    private final Timers timers = Timers.system("mcp-gateway-timers");
    private final ReentrantLock lock = new ReentrantLock();
    private final Leases leases;
    private final Quota places; // of sessions
    // guarded by lock
    private final Map<ClientSession, OfSession> ofSessions = new HashMap<>();
    private final Map<Downstream, Shared> shared = new LinkedHashMap<>(); // least used first
    private boolean closed;

    /** The connections of a session, and its place among those of all callers. */
    private record OfSession(Upstream upstream, Quota.Share place) {}

    /** Connections that clients without sessions share. */
    private static final class Shared {
        final Upstream upstream;
        int users; // guarded by lock
        Timers.@Nullable Timer idle; // guarded by lock

        Shared(Upstream upstream) {
            this.upstream = upstream;
        }
    }

    /** The use of connections, which are not closed meanwhile. */
    interface Use extends AutoCloseable {
        Upstream upstream();

        @Override
        void close();
    }

    private record UseOfSession(Upstream upstream) implements Use {
        @Override
        public void close() {} // they end with the session
    }

    private final class UseOfShared implements Use {
        private final Downstream client;
        private final Shared used;

        UseOfShared(Downstream client, Shared used) {
            this.client = client;
            this.used = used;
        }

        @Override
        public Upstream upstream() {
            return used.upstream;
        }

        @Override
        public void close() {
            release(client, used);
        }
    }

    Upstreams(Implementation gateway, UpstreamSettings settings) {
        this.gateway = gateway;
        this.settings = settings;
        this.leases = new Leases(settings, timers, lock, this::unused);
        this.places = Quota.shared(settings.maxSessions);
    }

    /**
     * Returns the connections of the client of a call; they may not be open yet. The caller closes
     * the use.
     */
    Use use(Call call) {
        Downstream client = Downstream.of(call);
        ClientSession session = client.session();
        lock.lock();
        try {
            if (closed) {
                throw JsonRpcException.invalidRequest("The gateway is closing");
            }
            if (session != null) {
                Object caller = ((HandlerCall) call).scope().countedFor();
                return new UseOfSession(ofSession(session, client, caller));
            }
            Shared known = shared.remove(client);
            if (known == null) {
                makeRoom(client.owner());
                known = new Shared(upstream(client));
            }
            shared.put(client, known); // as the one that was used last
            known.users++;
            if (known.idle != null) {
                known.idle.cancel();
                known.idle = null;
            }
            return new UseOfShared(client, known);
        } finally {
            lock.unlock();
        }
    }

    private Upstream upstream(Downstream client) {
        return new Upstream(gateway, settings, timers, leases, client, streams(client));
    }

    /**
     * Streams that other connections of the same client announce changes on: a client without a
     * session may read a list over any of them, one that is behind the announcement too.
     */
    private Set<SubscriptionStream> streams(Downstream client) {
        return shared.entrySet().stream()
                .filter(entry -> entry.getKey().differsInLevelAlone(client))
                .findFirst()
                .map(entry -> entry.getValue().upstream.streams())
                .orElseGet(ConcurrentHashMap::newKeySet);
    }

    private Upstream ofSession(ClientSession session, Downstream client, Object caller) {
        OfSession known = ofSessions.get(session);
        if (known != null) {
            return known.upstream;
        }
        OfSession added = new OfSession(upstream(client), places.share(caller, null));
        if (!added.place.take(1)) {
            throw new JsonRpcException(
                    McpErrorCode.LIMIT_EXCEEDED,
                    "Session limit of the gateway reached ("
                            + settings.maxSessions
                            + "); try again later");
        }
        ofSessions.put(session, added);
        session.onClose(() -> end(session));
        return added.upstream;
    }

    /** Counts one more, in place of one that is not in use if all places are taken. */
    private void makeRoom(Object owner) {
        leases.takePlace(owner);
        if (shared.size() < settings.maxSessions) {
            return;
        }
        Runnable eviction = eviction(client -> true);
        if (eviction == null) {
            leases.freePlace(owner);
            throw RetryableError.exception(
                    McpErrorCode.LIMIT_EXCEEDED,
                    "The gateway has connections for %s clients, which is the most"
                            .formatted(settings.maxSessions));
        }
        eviction.run();
    }

    private @Nullable Runnable unused(Object owner) {
        return eviction(client -> client.owner().equals(owner));
    }

    /**
     * Returns the action that closes the shared connections unused for the longest time; null if
     * all are in use.
     */
    private @Nullable Runnable eviction(Predicate<Downstream> which) {
        for (Map.Entry<Downstream, Shared> entry : shared.entrySet()) {
            Downstream client = entry.getKey();
            Shared kept = entry.getValue();
            if (kept.users == 0 && which.test(client)) {
                return () -> evict(client, kept);
            }
        }
        return null;
    }

    private void evict(Downstream client, Shared unused) {
        shared.remove(client);
        if (unused.idle != null) {
            unused.idle.cancel();
        }
        leases.freePlace(client.owner());
        closeApart(unused.upstream::close);
    }

    private void release(Downstream client, Shared used) {
        lock.lock();
        try {
            used.users--;
            if (used.users > 0 || closed) {
                return;
            }
            if (leases.hasLeft(client.owner())) {
                evict(client, used);
            } else {
                used.idle =
                        timers.schedule(
                                settings.idleTimeout, () -> closeApart(() -> expire(client, used)));
                leases.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * An owner sends no more calls: connections that none of its calls uses are closed now, others
     * after their calls.
     */
    void ownerLeft(Object owner) {
        lock.lock();
        try {
            for (Runnable end = unused(owner); end != null; end = unused(owner)) {
                end.run();
            }
            leases.ownerLeft(owner);
        } finally {
            lock.unlock();
        }
    }

    private void expire(Downstream client, Shared unused) {
        lock.lock();
        try {
            if (unused.users == 0 && shared.get(client) == unused) {
                evict(client, unused);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has connections closed without waiting for it: those that are no longer counted, or that a
     * timer has found idle. That does nothing else, since timers repeat what found no memory.
     */
    static void closeApart(Runnable closing) {
        Thread.ofVirtual().name("mcp-gateway-idle").start(closing);
    }

    /** Returns the connections of a session, if it has any. */
    @Nullable Upstream find(ClientSession session) {
        lock.lock();
        try {
            OfSession known = ofSessions.get(session);
            return known == null ? null : known.upstream;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a session; only closed connections make room for another session. */
    private void end(ClientSession session) {
        Upstream ending = find(session);
        if (ending != null) {
            ending.close();
        }
        lock.lock();
        try {
            OfSession ended = ofSessions.remove(session);
            if (ended != null) {
                ended.place.release();
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return ofSessions.size();
        } finally {
            lock.unlock();
        }
    }

    int shared() {
        lock.lock();
        try {
            return shared.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many connections there are for single calls. */
    int callConnections() {
        return leases.size();
    }

    @Override
    public void close() {
        List<Upstream> ending;
        lock.lock();
        try {
            closed = true;
            ending = new ArrayList<>();
            ofSessions.values().forEach(kept -> ending.add(kept.upstream));
            shared.values().forEach(kept -> ending.add(kept.upstream));
        } finally {
            lock.unlock();
        }
        try (ExecutorService executor =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("mcp-gateway-close").factory())) {
            executor.execute(leases::close);
            ending.forEach(upstream -> executor.execute(upstream::close));
        }
        timers.close();
    }
}
