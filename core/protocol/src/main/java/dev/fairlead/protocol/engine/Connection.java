package dev.fairlead.protocol.engine;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The engine of one connection, the same for client and server: the tables of request ids. It joins
 * responses with their requests, bounds the requests of the peer, and carries cancellation both
 * ways.
 *
 * <p>Requests of the peer are run by a {@link RequestRunner}; {@link #accept} never waits for them.
 * An own request ends exactly once: response, failure and timeout race through {@link
 * PendingRequest}.
 */
public final class Connection implements AutoCloseable {
    /** Cancels a request of the sender. */
    public static final String CANCELLED = "notifications/cancelled";

    /** Reports progress of a request of the receiver. */
    public static final String PROGRESS = "notifications/progress";

    private static final System.Logger LOGGER = System.getLogger(Connection.class.getName());

    /** The size above which a report of progress is ignored: some wait for their listener. */
    static final int MAX_PROGRESS = 64 << 10;

    /** The greatest length of the reason of a cancellation in characters; the rest is cut off. */
    static final int MAX_REASON = 1_000;

    private static final Cancellation CLOSED =
            new Cancellation(Cancellation.Cause.CLOSED, "connection closed");

    private final WireTap.@Nullable Tapped tapped;
    private final SessionContext context;
    private final ConnectionHandler handler;
    private final WireLog wire;
    private final RequestRunner runner;
    private final ConnectionLimits limits;
    private final Timers timers;
    private final Map<RequestId, IncomingRequest> incoming = new ConcurrentHashMap<>();

    /** The number of running requests, by {@link RequestKind}. */
    private final AtomicIntegerArray running = new AtomicIntegerArray(RequestKind.values().length);

    private final Map<RequestId, PendingRequest> pending = new ConcurrentHashMap<>();
    private final AtomicLong lastId;
    private final long firstId; // before the first of this connection
    private final NotificationQueue notifications;
    private volatile boolean inputEnded;
    private volatile boolean closed;
    private volatile @Nullable ConnectionException
            why; // set before closed, unless close() was called

    public Connection(
            SessionContext context,
            ConnectionHandler handler,
            ConnectionLimits limits,
            Timers timers) {
        this(context, handler, limits, timers, new AtomicLong());
    }

    /**
     * Creates a connection that is not the first to its peer.
     *
     * @param lastId the last id of a request; shared by the connections to one peer, so that
     *     progress of a task that an earlier one started is distinguished from that of a request
     */
    public Connection(
            SessionContext context,
            ConnectionHandler handler,
            ConnectionLimits limits,
            Timers timers,
            AtomicLong lastId) {
        this.lastId = lastId;
        this.firstId = lastId.get();
        this.wire = new WireLog(context);
        this.runner = new RequestRunner(new RequestLog(context, handler.slowRequest()));
        this.tapped = WireTap.of(context);
        this.context = tapped == null ? context : tapped;
        this.handler = handler;
        this.limits = limits;
        this.timers = timers;
        this.notifications = new NotificationQueue(limits.notifications());
    }

    /** Takes a message over, see {@link dev.fairlead.protocol.Session#accept}. */
    public void accept(JsonRpcMessage message, Exchange from) {
        Exchange logged = wire.received(message, from);
        Exchange exchange = tapped == null ? logged : tapped.received(message, logged);
        if (message instanceof JsonRpcRequest request) {
            acceptRequest(request, exchange);
        } else if (message instanceof JsonRpcNotification notification) {
            acceptNotification(notification, exchange);
        } else if (message instanceof JsonRpcResponse response) {
            acceptResponse(response.id(), response, request -> request.complete(response.result()));
        } else if (message instanceof JsonRpcErrorResponse response) {
            acceptError(response);
        } else {
            throw new IllegalArgumentException("the messages of a batch come one by one");
        }
    }

    // ---- requests of the peer

    private void acceptRequest(JsonRpcRequest request, Exchange exchange) {
        long started = System.nanoTime();
        try {
            if (incoming.containsKey(request.id())) {
                throw JsonRpcException.invalidRequest(
                        "request id " + request.id() + " is still in use");
            }
            PreparedRequest prepared = handler.prepare(request, exchange);
            RawJson result = prepared.result();
            if (result == null) {
                start(request, prepared, exchange);
            } else {
                runner.answer(request, exchange, result, started);
            }
        } catch (RuntimeException e) {
            runner.refuse(request, exchange, e, started);
        }
    }

    private void start(JsonRpcRequest request, PreparedRequest prepared, Exchange exchange) {
        if (closed) {
            throw RetryableError.exception(ErrorCode.INTERNAL_ERROR, "The connection is closing");
        }
        int kind = RequestKind.of(request.method()).ordinal();
        if (running.incrementAndGet(kind) > limits.requests()) {
            running.decrementAndGet(kind);
            throw RequestRunner.limitReached(
                    request,
                    "Too many requests at a time: at most " + limits.requests() + " may run");
        }
        IncomingRequest started = new IncomingRequest(request, exchange);
        if (incoming.putIfAbsent(request.id(), started) != null) {
            running.decrementAndGet(kind);
            throw JsonRpcException.invalidRequest(
                    "request id " + request.id() + " is still in use");
        }
        if (closed) { // close() may have gone through the map before this request was in it
            started.cancel(CLOSED);
        }
        if (inputEnded) { // likewise
            started.endIfStanding();
        }
        try {
            runner.start(started, prepared, () -> ended(started, kind));
        } catch (RuntimeException | Error e) {
            remove(started, kind);
            throw e;
        }
    }

    /** Reports the end of the input, see {@link dev.fairlead.protocol.Session#inputEnded}. */
    public void inputEnded() {
        inputEnded = true;
        incoming.values().forEach(IncomingRequest::endIfStanding);
    }

    private void ended(IncomingRequest request, int kind) {
        if (handler.isWaitedForWhileItAnswers()) {
            pending.values().forEach(PendingRequest::signOfLife);
        }
        remove(request, kind);
    }

    private void remove(IncomingRequest request, int kind) {
        incoming.remove(request.id(), request);
        running.decrementAndGet(kind);
    }

    // ---- notifications of the peer

    private void acceptNotification(JsonRpcNotification notification, Exchange exchange) {
        switch (notification.method()) {
            case CANCELLED -> cancelled(notification.params());
            case PROGRESS -> progressed(notification.params());
            default -> {
                handler.received(notification);
                queue(notification, exchange);
            }
        }
    }

    /** Queues a notification without other parts of the message that it came in. */
    private void queue(JsonRpcNotification received, Exchange exchange) {
        RawJson params = received.params();
        JsonRpcNotification kept =
                params == null
                        ? received
                        : new JsonRpcNotification(received.method(), params.detached());
        notifications.add(() -> handler.handle(kept, exchange), params == null ? 0 : params.size());
    }

    /** The members of {@code notifications/cancelled}. */
    record CancelledParams(RequestId requestId, @Nullable String reason) {}

    private void cancelled(@Nullable RawJson params) {
        CancelledParams cancelled = readOrIgnore(CANCELLED, CancelledParams.class, params);
        if (cancelled == null) {
            return;
        }
        cancel(cancelled.requestId(), cancelled.reason());
    }

    /** Cancels a request of the peer, see {@link dev.fairlead.protocol.Session#cancel}. */
    public void cancel(RequestId request, @Nullable String reason) {
        IncomingRequest running = incoming.get(request);
        boolean stopped =
                running != null
                        && running.cancel(
                                new Cancellation(Cancellation.Cause.PEER, shortened(reason)));
        LOGGER.log(
                Level.DEBUG,
                "The peer cancels its request {0} ({1}): {2}",
                request,
                Printable.excerpt(reason),
                stopped ? "stopping" : "not running");
    }

    private static @Nullable String shortened(@Nullable String reason) {
        return reason == null || reason.length() <= MAX_REASON
                ? reason
                : reason.substring(0, MAX_REASON);
    }

    /** The members of {@code notifications/progress}. */
    record ProgressParams(
            ProgressToken progressToken,
            double progress,
            @Nullable Double total,
            @Nullable String message,
            @JsonName("_meta") @Nullable JsonObject meta) {
        Progress toProgress() {
            return new Progress(progress, total, message);
        }
    }

    private void progressed(@Nullable RawJson params) {
        if (params != null && params.size() > MAX_PROGRESS) {
            LOGGER.log(
                    Level.DEBUG,
                    "A report of progress is ignored: it has {0} bytes and may have {1}",
                    Integer.toString(params.size()),
                    Integer.toString(MAX_PROGRESS));
            return;
        }
        ProgressParams report = readOrIgnore(PROGRESS, ProgressParams.class, params);
        if (report == null
                || handler.progressed(report.progressToken(), report.meta(), report.toProgress())) {
            return;
        }
        PendingRequest request = find(new RequestId(report.progressToken().value()));
        if (request != null) {
            request.progress(report.toProgress());
        }
    }

    /** Reads a notification; a malformed one is ignored, since it must not be answered. */
    private static <T> @Nullable T readOrIgnore(
            String notification, Class<T> type, @Nullable RawJson params) {
        if (params == null) {
            return null;
        }
        try {
            return Omissions.SHARED.tolerant(type, notification).read(params);
        } catch (JsonBindingException | JsonException e) {
            Omissions.SHARED.ignored(notification, e);
            return null;
        }
    }

    // ---- responses of the peer

    /**
     * Returns the request of this side with an id, which is its progress token too. They are
     * integers, so that the text of one can mean no other: a peer that loses the type still answers
     * the request that it was sent.
     */
    private @Nullable PendingRequest find(RequestId id) {
        return pending.get(id.asInteger().orElse(id));
    }

    private void acceptResponse(
            RequestId id, JsonRpcMessage response, Consumer<PendingRequest> completion) {
        PendingRequest request = find(id);
        if (request == null) {
            handler.unmatched(id, response, hasSent(id));
        } else {
            completion.accept(request);
        }
    }

    /** Returns whether an id is that of a request that was sent here, where it may have ended. */
    public boolean hasSent(RequestId id) {
        return id.asInteger().orElse(id).value() instanceof JsonNumber number
                && number.longValue() > firstId
                && number.longValue() <= lastId.get();
    }

    private void acceptError(JsonRpcErrorResponse response) {
        RequestId id = response.id();
        if (id == null) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    context.transport(),
                    "The peer reports an error that belongs to no request: {0}",
                    Printable.excerpt(response.error().message()));
        } else {
            acceptResponse(
                    id,
                    response,
                    request ->
                            request.fail(
                                    () ->
                                            new JsonRpcException(response.error(), null)
                                                    .answering(request.request().method())));
        }
    }

    /** Fails a request of this side, see {@link dev.fairlead.protocol.Session#fail}. */
    public void fail(RequestId id, CallException cause) {
        PendingRequest request = find(id);
        if (request != null) {
            request.fail(cause::withCallerStack);
        }
    }

    /** Pauses the timeout of a request, see {@link dev.fairlead.protocol.Session#pauseTimeout}. */
    public void pauseTimeout(RequestId id) {
        PendingRequest request = pending.get(id);
        if (request != null) {
            request.pauseTimeout();
        }
    }

    /**
     * Resumes the timeout of a request, see {@link dev.fairlead.protocol.Session#resumeTimeout}.
     */
    public void resumeTimeout(RequestId id) {
        PendingRequest request = pending.get(id);
        if (request != null) {
            request.resumeTimeout();
        }
    }

    // ---- own requests

    /**
     * Sends a request and waits for its result. An interrupt or a timeout cancels it at the peer as
     * well, if it is cancellable.
     *
     * @throws JsonRpcException if the peer answers with an error
     * @throws RequestTimeoutException if it does not answer in time
     * @throws ConnectionException if the connection is or gets lost
     */
    public RawJson request(OutgoingRequest request) throws InterruptedException {
        return request(request, id -> {});
    }

    /**
     * Sends a request and waits for its result, see {@link #request(OutgoingRequest)}.
     *
     * @param begun receives the id of the request before it is sent; must return at once
     */
    public RawJson request(OutgoingRequest request, Consumer<RequestId> begun)
            throws InterruptedException {
        RequestId id = reserve();
        begun.accept(id);
        return request(id, request);
    }

    /** Returns a new id for {@link #request(RequestId, OutgoingRequest)}. */
    public RequestId reserve() {
        return RequestId.of(lastId.incrementAndGet());
    }

    /**
     * Sends a request and waits for its result, see {@link #request(OutgoingRequest)}.
     *
     * @param id a {@linkplain #reserve reserved} one, which is used once
     */
    public RawJson request(RequestId id, OutgoingRequest request) throws InterruptedException {
        boolean here = mayUseCaller(request);
        PendingRequest waiting = new PendingRequest(id, request, timers, this::isWaitedFor);
        pending.put(id, waiting);
        boolean sent = true;
        try {
            if (closed) {
                throw closedException();
            }
            ProgressToken token = request.asksForProgress() ? new ProgressToken(id.value()) : null;
            if (here) {
                waiting.sending(() -> context.cancel(id));
            }
            waiting.startTimer(); // before the peer can see the request: sending counts too
            JsonRpcRequest message =
                    new JsonRpcRequest(id, request.method(), request.params().with(token));
            if (here) {
                wire.sent(message);
                sent = context.call(message, request.headers(), request.listener() != null);
                waiting.sent();
            } else {
                send(message, request);
            }
            return waiting.await();
        } catch (InterruptedException e) {
            pending.remove(id);
            cancelAtPeer(waiting, sent, "the caller no longer waits");
            throw e;
        } catch (RequestTimeoutException e) {
            pending.remove(id);
            cancelAtPeer(waiting, sent, "timeout");
            throw e;
        } finally {
            waiting.stopTimer();
            pending.remove(id);
        }
    }

    /**
     * Returns whether the transport may use the thread that waits: not where the peer must not
     * notice that it waits no longer.
     */
    private static boolean mayUseCaller(OutgoingRequest request) {
        return request.exchange() == null && request.cancellable();
    }

    private boolean isWaitedFor() {
        return handler.isWaitedForWhileItAnswers() && !incoming.isEmpty();
    }

    private void send(JsonRpcMessage message, OutgoingRequest request) {
        Exchange exchange = request.exchange();
        if (exchange == null) {
            wire.sent(message);
            context.send(message, request.headers());
        } else {
            exchange.send(message); // which logs it
        }
    }

    private void cancelAtPeer(PendingRequest request, boolean sent, String reason) {
        if (!sent || !request.request().cancellable()) {
            return;
        }
        LOGGER.log(
                Level.DEBUG, "Cancelling own request {0} at the peer: {1}", request.id(), reason);
        if (request.request().exchange() == null && context.cancel(request.id())) {
            return;
        }
        RawJson params =
                JsonCodec.of(CancelledParams.class)
                        .write(new CancelledParams(request.id(), reason));
        try {
            send(new JsonRpcNotification(CANCELLED, params), request.request());
        } catch (CallException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "Request {0} could not be cancelled at the peer: {1}",
                    request.id(),
                    e.getMessage());
        }
    }

    /**
     * Sends a notification that belongs to no request of the peer.
     *
     * @throws ConnectionException if the connection is closed or its queue is full
     */
    public void notify(JsonRpcNotification notification) {
        wire.sent(notification);
        context.send(notification);
    }

    /** Runs an action once the notifications that have come so far are handled. */
    public void afterNotifications(Runnable action) {
        notifications.add(action, 0);
    }

    /** Returns how many requests of the peer are running. */
    public int runningRequests() {
        return incoming.size();
    }

    /** Returns how many own requests wait for their response. */
    public int pendingRequests() {
        return pending.size();
    }

    /**
     * Interrupts handlers of the peer's requests and fails pending requests; may be called more
     * than once.
     */
    @Override
    public void close() {
        end(null);
    }

    /**
     * Reports a lost connection, see {@link dev.fairlead.protocol.Session#lost}; no effect on a
     * closed one.
     */
    public void lost(ConnectionException cause) {
        if (!closed) {
            why = cause;
        }
        end(cause);
    }

    /** Returns the exception for requests on a closed connection. */
    public ConnectionException closedException() {
        ConnectionException lost = why;
        return lost == null
                ? new ConnectionException("the connection is closed")
                : new ConnectionException(lost.getMessage(), lost);
    }

    private void end(@Nullable ConnectionException cause) {
        closed = true;
        notifications.close();
        List.copyOf(incoming.values()).forEach(request -> request.cancel(CLOSED));
        List.copyOf(pending.values()).forEach(request -> request.fail(() -> ended(cause)));
    }

    private static ConnectionException ended(@Nullable ConnectionException cause) {
        return cause == null
                ? new ConnectionException("the connection was closed")
                : new ConnectionException(cause.getMessage(), cause);
    }
}
