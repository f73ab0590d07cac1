package dev.fairlead.http.client;

import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands the messages of the server to the session, from all streams and answers, and is the only
 * place where a request is settled: by its response, by a failure or by its cancellation, whichever
 * is first. Safe for use by several threads.
 */
final class Inbox {
    private static final System.Logger LOGGER = System.getLogger(Inbox.class.getName());

    private final String place;
    private final Session session;
    private final Exchange exchange;
    private final int maxMessageSize;
    private final Map<RequestId, RequestCall> calls = new ConcurrentHashMap<>();
    private final AtomicInteger questions = new AtomicInteger();

    /**
     * @param place the server, for logs
     */
    Inbox(String place, Session session, Exchange exchange, int maxMessageSize) {
        this.place = place;
        this.session = session;
        this.exchange = exchange;
        this.maxMessageSize = maxMessageSize;
    }

    /** Registers a call that waits for its response. */
    void expect(RequestCall call) {
        calls.put(call.id(), call);
    }

    /** Returns whether the call still waits for its response. */
    boolean expects(RequestCall call) {
        return calls.get(call.id()) == call;
    }

    /** Returns the call of a request, or null if it does not wait. */
    @Nullable RequestCall find(RequestId request) {
        return calls.get(request);
    }

    /**
     * The request waits no longer.
     *
     * @return its call, or null if it did not wait
     */
    @Nullable RequestCall settle(RequestId request) {
        RequestCall call = calls.remove(request);
        if (call != null) {
            call.settled();
        }
        return call;
    }

    /** Pauses the timeout of a request while it waits for authorization, or resumes it. */
    void waitsForAuthorization(RequestId id, boolean waits) {
        if (waits) {
            session.pauseTimeout(id);
        } else {
            session.resumeTimeout(id);
        }
    }

    /**
     * Fails the request in the session, since no response will come, unless the call was settled or
     * stopped before.
     */
    void fail(RequestCall call, CallException cause) {
        if (calls.remove(call.id(), call)) {
            call.settled();
            if (!call.isStopped()) {
                session.fail(call.id(), cause);
            }
        }
    }

    /**
     * Fails the session, since the server no longer has it, which something else than a request
     * found out.
     */
    void expired(String what, String place) {
        session.expired(
                new SessionExpiredException(
                        what + " failed: the server at " + place + " has ended the session"));
    }

    /** Returns how many requests the server has sent so far. */
    int questions() {
        return questions.get();
    }

    /** An attempt to open a stream again has failed. */
    void unreachable() {
        session.unreachable();
    }

    /**
     * Takes every message of one connection of a stream, until the connection ends or fails.
     *
     * @param position advances with each event
     * @param origin the request whose stream it is; null for the stream of messages that belong to
     *     no request
     * @throws TooLargeException if a message is larger than allowed
     */
    void follow(Answer stream, StreamPosition position, @Nullable RequestId origin)
            throws TooLargeException {
        SseReader reader = new SseReader(stream.body(), maxMessageSize);
        try (stream) {
            for (SseEvent event = reader.next(); event != null; event = reader.next()) {
                position.passed(event);
                if (event.isMessage()) {
                    takeEvent(event.data(), origin);
                }
            }
            reader.retry().ifPresent(wait -> position.sentBack());
        } catch (TooLargeException e) {
            throw e;
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "A stream broke off: {0}", e.toString());
        } finally {
            reader.retry().ifPresent(position::retryAfter);
        }
    }

    /** Takes the message of an event; other content is only logged. */
    void takeEvent(byte[] json, @Nullable RequestId origin) {
        try {
            take(json, origin);
        } catch (MalformedMessageException e) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    place,
                    "Ignored an event of a server that is not a JSON-RPC message: {0}",
                    Printable.excerpt(e.getMessage()));
            e.answered().map(calls::get).ifPresent(call -> fail(call, call.malformed(e)));
        }
    }

    /**
     * Takes one message, or an array of them from a server of revision 2025-03-26.
     *
     * @param origin the request that this answers, where an error does not name it
     * @throws MalformedMessageException if it is none
     */
    void take(byte[] json, @Nullable RequestId origin) {
        JsonRpcMessage message = JsonRpcMessage.parse(json);
        if (!(message instanceof Batch batch)) {
            take(message, origin);
        } else if (session.revision().filter(Revision.V2025_03_26::equals).isPresent()) {
            batch.messages().forEach(each -> take(each, null));
            batch.malformed()
                    .forEach(
                            each ->
                                    LimitedLog.log(
                                            LOGGER,
                                            Level.WARNING,
                                            place,
                                            "Ignored a part of a batch that is not a JSON-RPC"
                                                    + " message"));
        } else {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    place,
                    "Ignored a batch, which the revision of the session does not have");
        }
    }

    private void take(JsonRpcMessage message, @Nullable RequestId origin) {
        switch (message) {
            case JsonRpcResponse response -> takeResponse(response.id(), response);
            case JsonRpcErrorResponse response -> {
                RequestId id = response.id() == null ? origin : response.id();
                if (id == null) {
                    session.accept(response, exchange);
                } else {
                    takeError(id, response.error());
                }
            }
            case JsonRpcRequest request -> {
                questions.incrementAndGet();
                session.accept(request, exchange);
            }
            case JsonRpcNotification notification -> session.accept(notification, exchange);
            case Batch batch -> throw new IllegalArgumentException("a batch in a batch");
        }
    }

    private void takeError(RequestId id, JsonRpcError error) {
        RequestCall call = calls.get(id);
        Optional<SessionExpiredException> expired =
                call == null ? Optional.empty() : call.expired(error);
        if (call != null && expired.isPresent()) {
            fail(call, expired.get());
        } else {
            takeResponse(id, new JsonRpcErrorResponse(id, error));
        }
    }

    private void takeResponse(RequestId id, JsonRpcMessage response) {
        if (settle(id.asInteger().orElse(id)) != null) { // those of this side are integers
            session.accept(response, exchange);
        } else {
            LOGGER.log(Level.DEBUG, "Ignored a response to {0}, which waits for none", id);
        }
    }
}
