package dev.fairlead.gateway;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections of all sessions to the servers behind the gateway, and those that clients without
 * sessions share. The lock is never held while one is opened or closed.
 */
final class Upstreams implements AutoCloseable {
    private final Implementation gateway;
    private final UpstreamSettings settings;
    private final Timers timers = Timers.system("mcp-gateway-timers");
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ClientSession, Upstream> ofSessions = new HashMap<>();
    private @Nullable Upstream shared;
    private boolean closed;

    Upstreams(Implementation gateway, UpstreamSettings settings) {
        this.gateway = gateway;
        this.settings = settings;
    }

    /** Those of the session of a call; they may not be open yet. */
    Upstream of(Call call) {
        ClientSession session = call.clientSession().orElse(null);
        lock.lock();
        try {
            if (closed) {
                throw JsonRpcException.invalidRequest("The gateway is closing");
            }
            if (session == null) {
                if (shared == null) {
                    shared = new Upstream(gateway, settings, timers, null);
                }
                return shared;
            }
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
            Upstream added = new Upstream(gateway, settings, timers, session);
            ofSessions.put(session, added);
            session.onClose(() -> end(session));
            return added;
        } finally {
            lock.unlock();
        }
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

    @Override
    public void close() {
        List<Upstream> ending;
        lock.lock();
        try {
            closed = true;
            ending = new ArrayList<>(ofSessions.values());
            if (shared != null) {
                ending.add(shared);
            }
        } finally {
            lock.unlock();
        }
        try (ExecutorService executor =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("mcp-gateway-close").factory())) {
            ending.forEach(upstream -> executor.execute(upstream::close));
        }
        timers.close();
    }
}
