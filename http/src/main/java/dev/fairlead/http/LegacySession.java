package dev.fairlead.http;

import dev.fairlead.http.HttpSessionListener.Reason;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStore;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A session over HTTP+SSE, which is one stream of events and ends with it. Everything that the
 * server sends goes over that stream. The lock guards the exchanges.
 */
final class LegacySession extends RegisteredSession {
    private final Clock clock;
    private final Duration retry;
    private final Counters counters;
    private final BiConsumer<LegacySession, Reason> onEnd;
    private final EventStream stream;
    private final Set<LegacyExchange> exchanges = new HashSet<>();
    private boolean closed;

    /** Since when the client may speak; not yet while its stream is being opened. */
    private volatile Instant begun = Instant.MAX;

    LegacySession(
            String id,
            String name,
            Caller caller,
            EndpointContext premises,
            BiConsumer<LegacySession, Reason> onEnd) {
        super(id, name, caller);
        this.clock = premises.clock();
        this.retry = premises.settings().retry;
        this.counters = premises.counters();
        this.onEnd = onEnd;
        this.stream =
                new EventStream(
                        new EventStore.Stream(name, "s1", List.of()),
                        null,
                        premises.settings().streamBuffer);
    }

    /**
     * Opens the stream, which begins with the place to post to.
     *
     * @param endpoint a URI of the same origin
     */
    void connect(Writers writers, Reply reply, String endpoint) {
        stream.add(OutgoingEvent.endpoint(endpoint));
        begun = clock.instant();
        stream.open(writers.connect(stream, reply, this::gone));
    }

    /** On a thread of its own, since whoever writes may be a handler that the end interrupts. */
    private void gone(List<OutgoingEvent> unwritten) {
        counters.dropped(unwritten);
        Thread.ofVirtual().name("mcp-http-gone").start(() -> onEnd.accept(this, Reason.GONE));
    }

    @Override
    public void send(JsonRpcMessage message) {
        if (!stream.add(OutgoingEvent.of(message))) {
            throw new ConnectionException("The client's connection is gone");
        }
        stream.wake();
    }

    @Override
    public boolean isReachable() {
        return stream.isConnected() && !stream.isEnded();
    }

    @Override
    public void checkReachable() {
        stream.probe();
    }

    @Override
    public String transport() {
        return "sse";
    }

    /**
     * An exchange begins.
     *
     * @return false if the session has just ended, or is about to
     */
    boolean begin(LegacyExchange exchange) {
        lock.lock();
        try {
            return !closed && !isRetired() && exchanges.add(exchange);
        } finally {
            lock.unlock();
        }
    }

    /** An exchange is answered. */
    void end(LegacyExchange exchange) {
        lock.lock();
        try {
            exchanges.remove(exchange);
        } finally {
            lock.unlock();
        }
    }

    /** Only of a client that opened the stream and then said nothing: its heart beats. */
    @Override
    boolean isIdle(Instant since) {
        lock.lock();
        try {
            return exchanges.isEmpty() && begun.isBefore(since) && revision().isEmpty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        onEnd.accept(this, Reason.ENDED);
    }

    @Override
    void shutDown(boolean goesOn) {
        List<LegacyExchange> unanswered;
        lock.lock();
        try {
            closed = true;
            unanswered = List.copyOf(exchanges);
        } finally {
            lock.unlock();
        }
        try {
            closeSession();
        } finally {
            unanswered.forEach(LegacyExchange::sessionClosed);
            if (!goesOn || !stream.closeWithRetry(retry)) {
                stream.end();
            }
        }
    }
}
