package dev.fairlead.http.legacy;

import dev.fairlead.http.console.HttpStreamStatus;
import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.options.HttpSessionListener.Reason;
import dev.fairlead.http.session.RegisteredSession;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.stream.OutgoingEvent;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.Caller;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * A session over HTTP+SSE, which is one stream of events and ends with it. Everything that the
 * server sends goes over that stream.
 */
final class LegacySession extends RegisteredSession {
    private final EndpointContext context;
    private final BiConsumer<LegacySession, Reason> onEnd;
    private final EventStream stream;

    /** The time from which the client may send; not set while its stream is being opened. */
    private volatile Instant begun = Instant.MAX;

    LegacySession(
            String id,
            String name,
            Caller caller,
            EndpointContext context,
            BiConsumer<LegacySession, Reason> onEnd) {
        super(id, name, caller);
        this.context = context;
        this.onEnd = onEnd;
        this.stream = EventStream.unstored(context.settings().streamBuffer);
    }

    /**
     * Opens the stream, which begins with the place to post to.
     *
     * @param endpoint a URI of the same origin
     */
    void connect(Reply reply, String endpoint) {
        stream.add(OutgoingEvent.endpoint(endpoint));
        begun = context.clock().instant();
        stream.open(reply.connect(context.writers(), stream, this::gone));
    }

    /**
     * Ends the session on a thread of its own, since the writer may be a handler that the end
     * interrupts.
     */
    private void gone(List<OutgoingEvent> unwritten) {
        context.counters().dropped(unwritten);
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
     * Returns true only for a client that opened the stream and then sent nothing: heartbeats keep
     * its stream open.
     */
    @Override
    public boolean isIdle(Instant since) {
        return !hasExchanges() && begun.isBefore(since) && revision().isEmpty();
    }

    @Override
    public Optional<Instant> lastUsed() {
        return Optional.empty();
    }

    @Override
    public int connectedStreams() {
        return stream.isConnected() ? 1 : 0;
    }

    @Override
    public int waitingMessages() {
        return 0; // the stream holds them
    }

    @Override
    public List<HttpStreamStatus> streamStatuses() {
        return List.of(stream.status("SSE"));
    }

    @Override
    public void close() {
        onEnd.accept(this, Reason.ENDED);
    }

    @Override
    public void shutDown(boolean continued) {
        try {
            closeSession(closeExchanges());
        } finally {
            if (!continued || !stream.closeWithRetry(context.settings().retry)) {
                stream.end();
            }
        }
    }
}
