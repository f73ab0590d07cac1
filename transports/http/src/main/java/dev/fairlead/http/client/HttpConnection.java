package dev.fairlead.http.client;

import dev.fairlead.http.blocking.OutgoingRequest;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.engine.WireLog;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A client's connection to one server: where messages go out.
 *
 * <p>All that is sent in a session passes one queue. Its thread posts notifications and responses
 * one after the other, each when the one before was accepted, and gives every request a thread of
 * its own: so {@code notifications/initialized} has arrived before the requests that follow it, and
 * no request waits for the answer to another. Requests without a session have no order, and begin
 * at once. A thread that waits for a response makes the exchange itself where nothing is queued
 * before it and no login can come between.
 */
final class HttpConnection implements Link {
    private static final System.Logger LOGGER = System.getLogger(HttpConnection.class.getName());

    private final ConnectorOptions options;
    private final Consumer<Thread> starter;
    private final ExchangePool exchanges;
    private final Outbox outbox = new Outbox();
    private final Context context = new Context();
    private final Session session;
    private final HttpRequests requests;
    private final Posts posts;
    private final Inbox inbox;
    private final LegacyLink legacy;
    private volatile @Nullable ConnectionException why; // it ends, where that was not wished
    private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * The stream for messages that belong to no request; used by the thread of the outbox alone.
     */
    private @Nullable ListeningStream listening;

    HttpConnection(ConnectorOptions options, SessionHost host) {
        this(
                options,
                host,
                Thread.ofVirtual().name("mcp-http-client-", 0).factory(),
                Thread::start);
    }

    /**
     * Creates a connection with other ways to start threads.
     *
     * @param threads makes the threads of exchanges; a test may have none
     * @param starter starts the thread that closes; a test may have none
     */
    HttpConnection(
            ConnectorOptions options,
            SessionHost host,
            ThreadFactory threads,
            Consumer<Thread> starter) {
        this.options = options;
        this.starter = starter;
        exchanges = new ExchangePool(options, threads);
        try {
            session = host.open(context);
        } catch (RuntimeException | Error e) {
            exchanges.close();
            throw e;
        }
        requests = new HttpRequests(options, session::revision);
        inbox = new Inbox(options.place(), session, context, options.maxMessageSize);
        posts = new Posts(options, requests, inbox, exchanges);
        legacy = new LegacyLink(options, requests, inbox, exchanges, this::lost);
        try {
            exchanges.run(outbox::run);
        } catch (OutOfMemoryError e) { // the system has no more threads
            ConnectionException cause =
                    new ConnectionException("there is no thread for the connection", e);
            why = cause;
            close();
            throw cause;
        }
    }

    private void send(JsonRpcMessage message, Map<String, String> headers) {
        requests.checkOwn(headers);
        switch (message) {
            case JsonRpcRequest request -> request(request, headers, call -> false);
            case JsonRpcNotification notification -> notification(notification, headers);
            case JsonRpcResponse response ->
                    outbox.put(() -> posts.respond(response, headers, "a response"));
            case JsonRpcErrorResponse response ->
                    outbox.put(() -> posts.respond(response, headers, "an error response"));
            case Batch batch ->
                    batch.messages().forEach(each -> send(each, headers)); // never as one
        }
    }

    /** Returns how many HTTP exchanges there are, or are to be. */
    int exchanges() {
        return exchanges.count();
    }

    /**
     * Returns whether the thread that waits for the response can make the exchange: no message must
     * be sent before it, none that the thread has to pass on comes elsewhere than in the answer,
     * and the network alone keeps it waiting. If the thread is interrupted, each connection that it
     * tries would be closed.
     */
    private boolean canUseCaller(RequestCall call, boolean passesProgress) {
        boolean alone = call.isSelfContained() || outbox.isEmpty() && !passesProgress;
        return alone
                && !options.mayWait()
                && !requests.isLegacy()
                && !Thread.currentThread().isInterrupted();
    }

    /**
     * @param here whether the thread that calls this is to make the exchange
     */
    private void request(
            JsonRpcRequest request, Map<String, String> headers, Predicate<RequestCall> here) {
        RequestCall call =
                new RequestCall(
                        request, headers, options, requests, inbox, legacy, exchanges.open());
        inbox.expect(call);
        try {
            if (here.test(call)) {
                outbox.requireOpen();
                call.runOnCaller();
            } else if (call.isSelfContained()) {
                outbox.requireOpen();
                start(call);
            } else {
                outbox.put(() -> start(call));
            }
        } catch (RuntimeException e) {
            inbox.settle(request.id());
            call.discard();
            throw e;
        }
    }

    private void start(RequestCall call) {
        try {
            exchanges.run(call::run);
        } catch (OutOfMemoryError e) { // the system has no more threads
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    options.place(),
                    e,
                    "No thread could be started for {0}",
                    call.method());
            call.fail("there is no thread for it");
            call.discard();
        }
    }

    private void notification(JsonRpcNotification notification, Map<String, String> headers) {
        switch (notification.method()) {
            case "notifications/initialized" ->
                    outbox.put(
                            () -> {
                                if (posts.send(notification, headers, notification.method())) {
                                    listen();
                                }
                            });
            case "notifications/cancelled" -> cancellation(notification, headers);
            default -> outbox.put(() -> posts.send(notification, headers, notification.method()));
        }
    }

    /**
     * Cancels a request by closing its exchange, if the server has not received it or takes that as
     * the cancellation.
     *
     * @return false if the server needs a message
     */
    private boolean cancel(RequestId id) {
        RequestCall call = inbox.find(id);
        if (call == null) {
            return isPerRequest(); // it has ended, and there is no session to name it in
        }
        if (!call.isHeld() && !call.isSelfContained()) {
            call.releaseCaller();
            return false;
        }
        WireLog.closed(
                CancellableExchange.TRANSPORT,
                () -> "the exchange of request " + id + " to cancel it");
        call.stop();
        inbox.settle(id); // last: a cancellation that found no memory is made again, and finds it
        return true;
    }

    /**
     * Ends the request at once, before its exchange ends. When the server has received that, the
     * exchange has a little time left: the server may still withdraw on it the questions of that
     * request.
     */
    private void cancellation(JsonRpcNotification notification, Map<String, String> headers) {
        Optional<RequestId> id = cancelledRequest(notification);
        if (id.map(this::cancel).orElseGet(this::isPerRequest)) {
            return;
        }
        RequestCall cancelled = id.map(inbox::settle).orElse(null);
        try {
            outbox.put(
                    () -> {
                        posts.send(notification, headers, notification.method());
                        if (cancelled != null) {
                            cancelled.cancelled();
                        }
                    });
        } catch (RuntimeException e) {
            if (cancelled != null) {
                cancelled.stop();
            }
            throw e;
        }
    }

    private boolean isPerRequest() {
        return session.revision().filter(agreed -> agreed.era() == Era.PER_REQUEST).isPresent();
    }

    private static Optional<RequestId> cancelledRequest(JsonRpcNotification notification) {
        try {
            return notification.params() != null
                            && notification.params().value() instanceof JsonObject params
                            && params.get("requestId") instanceof JsonValue id
                    ? Optional.of(new RequestId(id))
                    : Optional.empty();
        } catch (JsonException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void listen() {
        if (listening != null) {
            listening.stop();
        }
        if (options.listening && !requests.isLegacy()) {
            ListeningStream stream =
                    new ListeningStream(options, requests, inbox, exchanges.open());
            listening = stream;
            exchanges.run(stream::run);
        }
    }

    /**
     * Sends the queued messages, fails the pending requests, ends all streams, deletes the session
     * and waits for the threads; all within bounds. An interrupt does not shorten that and stays
     * set.
     */
    @Override
    public void close() {
        beginToClose();
        if (Thread.currentThread() == closer.get()) {
            return; // the session closes its link while it is being closed
        }
        Uninterruptibly.await(closed::await);
    }

    /** The one stream that carries the session is gone. */
    private void lost(ConnectionException cause) {
        why = cause;
        beginToClose();
    }

    private void beginToClose() {
        Thread thread = Thread.ofVirtual().name("mcp-http-client-close").unstarted(this::shutDown);
        if (closer.compareAndSet(null, thread)) {
            try {
                starter.accept(thread);
            } catch (OutOfMemoryError e) { // the system has no more threads
                closer.set(Thread.currentThread());
                shutDown();
            }
        }
    }

    private void shutDown() {
        try {
            ConnectionException cause = why;
            if (cause != null) {
                session.lost(cause);
            }
            outbox.close(options.gracePeriods.flush());
            session.close();
            exchanges.stop();
            delete();
        } finally {
            try {
                exchanges.close();
            } finally { // also without memory: close() waits for it
                closed.countDown();
            }
        }
    }

    private void delete() {
        try (CancellableExchange exchange = exchanges.last()) {
            Optional<OutgoingRequest> request = requests.delete();
            if (request.isEmpty()) {
                return;
            }
            exchange.stopAfter(options.gracePeriods.farewell());
            try (Answer answer = exchange.send(request.get(), () -> false)) {
                LOGGER.log(
                        Level.DEBUG,
                        "DELETE at {0}: status {1}",
                        options.place(),
                        Integer.toString(answer.status()));
            }
        } catch (IOException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "The session at {0} was not deleted: {1}",
                    options.place(),
                    e.toString());
        } catch (RuntimeException | Error e) { // the headers of users, no thread, or our mistake
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    options.place(),
                    e,
                    "The session at {0} was not deleted",
                    options.place());
        }
    }

    /**
     * The session's view of the connection: each answer to a message of the server is a POST of its
     * own, on whichever stream the message came.
     */
    private final class Context implements SessionContext, Exchange {
        @Override
        public void send(JsonRpcMessage message) {
            HttpConnection.this.send(message, Map.of());
        }

        @Override
        public void send(JsonRpcMessage message, Map<String, String> headers) {
            HttpConnection.this.send(message, headers);
        }

        @Override
        public boolean call(
                JsonRpcRequest request, Map<String, String> headers, boolean passesProgress) {
            requests.checkOwn(headers);
            request(request, headers, call -> canUseCaller(call, passesProgress));
            return true;
        }

        @Override
        public boolean cancel(RequestId request) {
            return HttpConnection.this.cancel(request);
        }

        @Override
        public void abandon(RequestId request) {} // no POST waits to be made

        @Override
        public boolean hasHeaders() {
            return true;
        }

        @Override
        public boolean carries(Era era) {
            return era == Era.HANDSHAKE || !options.legacySse;
        }

        @Override
        public Caller caller() {
            return Caller.anonymous();
        }

        @Override
        public String transport() {
            return CancellableExchange.TRANSPORT;
        }

        @Override
        public void close() {
            beginToClose();
        }
    }
}
