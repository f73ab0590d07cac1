package dev.fairlead.gateway;

import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.ServerRequests;

import org.jspecify.annotations.Nullable;

import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The calls of one client that a server behind the gateway is answering. What such a server asks
 * and logs meanwhile goes out with the newest of them, since nothing tells which it belongs to;
 * outside of calls it goes beside them.
 */
final class CallsUnderWay {
    private final @Nullable ClientSession session;
    private final Map<String, Deque<Call>> calls = new ConcurrentHashMap<>();
    private final Map<String, Call> held = new ConcurrentHashMap<>();
    private final Deque<Call> all = new ConcurrentLinkedDeque<>(); // at whichever server, or none
    private final ThreadLocal<@Nullable Call> current = new ThreadLocal<>();

    CallsUnderWay(@Nullable ClientSession session) {
        this.session = session;
    }

    /** What is sent to servers. */
    @FunctionalInterface
    interface Sending<R> {
        R send() throws InterruptedException;
    }

    /** Sends on behalf of a call. */
    <R> R onBehalfOf(Call call, Sending<R> sending) throws InterruptedException {
        current.set(call);
        all.addLast(call);
        try {
            return sending.send();
        } finally {
            all.removeLastOccurrence(call);
            current.remove();
        }
    }

    /** The call on whose behalf this thread sends; it now is at this server. */
    @Nullable Call enter(String server) {
        Call call = current.get();
        if (call != null) {
            of(server).addLast(call);
        }
        return call;
    }

    /** The server has answered. */
    void leave(String server, @Nullable Call call) {
        if (call != null) {
            of(server).removeLastOccurrence(call);
        }
    }

    private Deque<Call> of(String server) {
        return calls.computeIfAbsent(server, name -> new ConcurrentLinkedDeque<>());
    }

    private static @Nullable Call newest(Deque<Call> calls) {
        Iterator<Call> newest = calls.descendingIterator();
        return newest.hasNext() ? newest.next() : null;
    }

    /**
     * Has what a server asks belong to a call of a client without a session, until the call is
     * {@linkplain #release released}.
     *
     * @return false if it belongs to another call
     */
    boolean hold(String server, Call call) {
        return held.putIfAbsent(server, call) == null;
    }

    void release(String server) {
        held.remove(server);
    }

    /** Where a server asks the client; one that is being connected to, with any call. */
    ServerRequests asking(String server) {
        Call call = session == null ? held.get(server) : newest(of(server));
        if (call == null && session != null) {
            call = newest(all);
        }
        if (call != null) {
            return call;
        }
        if (session == null) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR, "No client can be asked over this connection");
        }
        return session.requests();
    }

    void log(String server, LoggingLevel level, @Nullable String logger, JsonValue data) {
        Call call = newest(of(server));
        if (call != null) {
            call.log(level, logger, data);
        } else if (session != null) {
            session.log(level, logger, data);
        }
    }
}
