package dev.fairlead.gateway;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections of all sessions to the servers behind the gateway, and those of clients without
 * sessions, which are kept for a while after their last use. The lock is never held while one is
 * opened or closed.
 */
final class Upstreams implements AutoCloseable {
    private final Implementation gateway;
    private final UpstreamSettings settings;
    private final Timers timers = Timers.system("mcp-gateway-timers");
    private final Leases leases;
    private final ReentrantLock lock = new ReentrantLock();
    // guarded by lock
    private final Map<ClientSession, Upstream> ofSessions = new HashMap<>();
    private final Map<Downstream, Shared> shared = new LinkedHashMap<>(); // least used first
    private boolean closed;

    /** Connections that clients without sessions share. */
    private static final class Shared {
        final Object opener; // whom they are counted for
        final Upstream upstream;
        int users; // guarded by lock
        Timers.@Nullable Timer idle; // guarded by lock

        Shared(Object opener, Upstream upstream) {
            this.opener = opener;
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
        this.leases = new Leases(settings, timers);
    }

    /** Those of the client of a call; they may not be open yet. The caller closes the use. */
    Use use(Call call) {
        Downstream client = Downstream.of(call);
        ClientSession session = client.session();
        Upstream evicted = null;
        lock.lock();
        try {
            if (closed) {
                throw JsonRpcException.invalidRequest("The gateway is closing");
            }
            if (session != null) {
                return new UseOfSession(ofSession(session, client));
            }
            Shared known = shared.remove(client);
            if (known == null) {
                Object opener = Downstream.callerKey(call);
                evicted = makeRoom(opener);
                known = new Shared(opener, upstream(client));
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
            if (evicted != null) {
                closeApart(evicted);
            }
        }
    }

    private Upstream upstream(Downstream client) {
        return new Upstream(gateway, settings, timers, leases, client);
    }

    private Upstream ofSession(ClientSession session, Downstream client) {
        Upstream known = ofSessions.get(session);
        if (known != null) {
            return known;
        }
        if (ofSessions.size() >= settings.maxSessions) {
            throw new JsonRpcException(
                    McpErrorCode.LIMIT_EXCEEDED,
                    "Session limit of the gateway reached ("
                            + settings.maxSessions
                            + "); try again later");
        }
        Upstream added = upstream(client);
        ofSessions.put(session, added);
        session.onClose(() -> end(session));
        return added;
    }

    /** Gives the place of connections that are not in use to others if all are taken. */
    private @Nullable Upstream makeRoom(Object opener) {
        long opened = shared.values().stream().filter(set -> set.opener.equals(opener)).count();
        boolean openerIsFull = opened >= settings.maxCallConnectionsPerOwner;
        if (!openerIsFull && shared.size() < settings.maxSessions) {
            return null;
        }
        for (Map.Entry<Downstream, Shared> entry : shared.entrySet()) {
            Shared kept = entry.getValue();
            if (kept.users == 0 && (!openerIsFull || kept.opener.equals(opener))) {
                shared.remove(entry.getKey());
                if (kept.idle != null) {
                    kept.idle.cancel();
                }
                return kept.upstream;
            }
        }
        throw RetryableError.exception(
                McpErrorCode.LIMIT_EXCEEDED,
                openerIsFull
                        ? "A caller may use the gateway with %d sets of capabilities at a time"
                                .formatted(settings.maxCallConnectionsPerOwner)
                        : "The gateway has connections for %d clients, which is the most"
                                .formatted(settings.maxSessions));
    }

    private void release(Downstream client, Shared used) {
        lock.lock();
        try {
            used.users--;
            if (used.users == 0 && !closed) {
                used.idle = timers.schedule(settings.idleTimeout, () -> expire(client, used));
            }
        } finally {
            lock.unlock();
        }
    }

    private void expire(Downstream client, Shared unused) {
        lock.lock();
        try {
            if (unused.users > 0 || !shared.remove(client, unused)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        closeApart(unused.upstream);
    }

    private static void closeApart(Upstream upstream) {
        Thread.ofVirtual().name("mcp-gateway-idle").start(upstream::close);
    }

    /** Those of a session, if it has any. */
    @Nullable Upstream find(ClientSession session) {
        lock.lock();
        try {
            return ofSessions.get(session);
        } finally {
            lock.unlock();
        }
    }

    /** Only what is closed makes room for another session. */
    private void end(ClientSession session) {
        Upstream ending = find(session);
        if (ending != null) {
            ending.close();
        }
        lock.lock();
        try {
            ofSessions.remove(session);
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
            ending = new ArrayList<>(ofSessions.values());
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
