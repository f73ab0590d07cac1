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
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls of one client that a server behind the gateway is answering. Questions and log messages
 * of such a server are sent meanwhile with the newest of them, since nothing shows which call they
 * belong to; outside of calls they are sent without one.
 */
final class CallsUnderWay {
    private final @Nullable ClientSession session;
    private final Runnable released;
    private final Map<String, Deque<Call>> calls = new ConcurrentHashMap<>();
    private final Map<String, HeldCall> held = new ConcurrentHashMap<>();
    private final Deque<Call> all = new ConcurrentLinkedDeque<>(); // at whichever server, or none
    private final ThreadLocal<@Nullable Passage> current = new ThreadLocal<>();

    /** The request that one thread sends on behalf of a call; confined to that thread. */
    private static final class Passage {
        final Call call;
        @Nullable String server;
        @Nullable String heldToTheEnd;
        @Nullable String stayingAt; // until the call ends
        @Nullable Log stayingFor; // the log messages of that server

        Passage(Call call) {
            this.call = call;
        }
    }

    /** A call to which the questions of a server belong. */
    private static final class HeldCall {
        final Call call;
        final AtomicInteger questions = new AtomicInteger();

        HeldCall(Call call) {
            this.call = call;
        }
    }

    /**
     * @param released runs when a server can be {@linkplain #hold held} for another call
     */
    CallsUnderWay(@Nullable ClientSession session, Runnable released) {
        this.session = session;
        this.released = released;
    }

    /** The log messages of a server. */
    @FunctionalInterface
    interface Log {
        /** Waits a little for those that came before now to be passed on. */
        void await(String server) throws InterruptedException;
    }

    /** A request to servers. */
    @FunctionalInterface
    interface Sending<R> {
        R send() throws InterruptedException;
    }

    /** Sends on behalf of a call. */
    <R> R onBehalfOf(Call call, Sending<R> sending) throws InterruptedException {
        Passage passage = new Passage(call);
        current.set(passage);
        all.addLast(call);
        try {
            return sending.send();
        } finally {
            end(passage);
        }
    }

    private void end(Passage passage) throws InterruptedException {
        try {
            if (passage.stayingAt != null && passage.stayingFor != null) {
                passage.stayingFor.await(passage.stayingAt);
            }
        } finally {
            if (passage.heldToTheEnd != null) {
                release(passage.heldToTheEnd);
            }
            if (passage.stayingAt != null) {
                leave(passage.stayingAt, passage.call);
            }
            all.removeLastOccurrence(passage.call);
            current.remove();
        }
    }

    /** The call on whose behalf this thread sends; it now is at this server. */
    @Nullable Call enter(String server) {
        Passage passage = current.get();
        if (passage == null) {
            return null;
        }
        passage.server = server;
        of(server).addLast(passage.call);
        return passage.call;
    }

    /** Returns the server that this thread has sent to last on behalf of its call. */
    String reached() {
        Passage passage = Objects.requireNonNull(current.get(), "nothing was sent for a call");
        return Objects.requireNonNull(passage.server, "no server was reached");
    }

    /** The server has answered. */
    void leave(String server, @Nullable Call call) {
        if (call != null) {
            of(server).removeLastOccurrence(call);
        }
    }

    /**
     * Has the call of this thread stay at a server until it ends, not its request alone: a task
     * asks and logs after the request that has begun it.
     *
     * @param log of the server, which is waited for at the end
     */
    void stay(String server, Log log) {
        Passage passage = current.get();
        if (passage != null && passage.stayingAt == null) {
            passage.stayingAt = server;
            passage.stayingFor = log;
            of(server).addLast(passage.call);
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
     * Assigns the questions of a server to a call of a client without a session, until the call is
     * {@linkplain #release released}.
     *
     * @return false if it belongs to another call
     */
    boolean hold(String server, Call call) {
        return held.putIfAbsent(server, new HeldCall(call)) == null;
    }

    /**
     * Ends the assignment of {@link #hold}.
     *
     * @return how many questions belonged to the call
     */
    int release(String server) {
        HeldCall ended = held.remove(server);
        released.run();
        return ended == null ? 0 : ended.questions.get();
    }

    /**
     * Assigns the questions of a server to the call of this thread until the call ends, not only
     * its request: a task asks after the request that has begun it.
     *
     * @return how many questions belonged to the call so far
     */
    int holdToTheEnd(String server) {
        Objects.requireNonNull(current.get(), "nothing was sent for a call").heldToTheEnd = server;
        return Objects.requireNonNull(held.get(server), "no call is held").questions.get();
    }

    /**
     * Returns the requests by which a server asks the client; during its connecting, those of any
     * call.
     *
     * @throws JsonRpcException if there is no client to ask, or the server has asked too often
     */
    ServerRequests asking(String server) {
        if (session == null) {
            return askingHeld(server);
        }
        Call call = newest(of(server));
        if (call == null) {
            call = newest(all);
        }
        return call == null ? session.requests() : call;
    }

    private Call askingHeld(String server) {
        HeldCall asked = held.get(server);
        if (asked == null) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR, "No client can be asked over this connection");
        }
        if (asked.questions.incrementAndGet() > PassedRound.MAX) {
            throw UpstreamException.tooManyRounds(server);
        }
        return asked.call;
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
