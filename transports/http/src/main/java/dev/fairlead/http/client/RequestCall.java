package dev.fairlead.http.client;

import dev.fairlead.http.sse.NoLegacyStreamException;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.ForeignAnswerException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.headers.MirroredHeaders;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * One request from its POST to its response: the answer as JSON, or as an {@link AnswerStream}.
 * {@link #run} has a thread of its own; the rest may be called by any.
 */
final class RequestCall {
    private static final System.Logger LOGGER = System.getLogger(RequestCall.class.getName());
    private static final int LARGEST_ERROR = 64 * 1024;

    private final JsonRpcRequest request;
    private final Map<String, String> headers;
    private final ConnectorOptions options;
    private final HttpRequests requests;
    private final Inbox inbox;
    private final LegacyLink legacy;
    private final CancellableExchange exchange;

    /** The headers that repeat values of the request; null for one that is in a session. */
    private final @Nullable Map<String, String> mirrored;

    /** The thread that waits for the response, while it makes the exchange itself. */
    private volatile @Nullable Thread caller;

    /** Whether that thread has left the rest of the exchange to another; for that thread. */
    private boolean isLeft;

    /** Whether the exchange may still be open when the response is there. */
    private volatile boolean streaming;

    private volatile boolean stopped;

    RequestCall(
            JsonRpcRequest request,
            Map<String, String> headers,
            ConnectorOptions options,
            HttpRequests requests,
            Inbox inbox,
            LegacyLink legacy,
            CancellableExchange exchange) {
        this.request = request;
        this.headers = headers;
        this.options = options;
        this.requests = requests;
        this.inbox = inbox;
        this.legacy = legacy;
        this.exchange = exchange;
        this.mirrored = MirroredHeaders.of(request).orElse(null);
        exchange.onHeld(waits -> inbox.waitsForAuthorization(request.id(), waits));
    }

    RequestId id() {
        return request.id();
    }

    /** The headers of this request alone. */
    Map<String, String> headers() {
        return headers;
    }

    String method() {
        return request.method();
    }

    void run() {
        perform(
                () -> {
                    if (options.legacySse) {
                        legacy.open();
                    }
                    post();
                });
    }

    /**
     * Makes the exchange on the thread that waits for the response, and returns when that has come,
     * was interrupted, or is read from a stream by a thread of its own.
     */
    void runOnCaller() {
        caller = Thread.currentThread();
        perform(this::post);
        caller = null;
    }

    /** A part of the exchange. */
    @FunctionalInterface
    private interface Part {
        void run() throws IOException;
    }

    private void perform(Part part) {
        try {
            part.run();
        } catch (NoLegacyStreamException e) {
            fail("the server at " + options.place() + " offers no HTTP+SSE: " + e.getMessage(), e);
        } catch (TooLargeException e) {
            fail(
                    "a message of the server is larger than "
                            + options.maxMessageSize
                            + " bytes; raise HttpConnector.maxMessageSize",
                    e);
        } catch (IOException e) {
            if (!isOnCaller() || !Thread.currentThread().isInterrupted()) { // else it cancels
                fail(ConnectFailure.reason(e, options, isFirst()), e);
            }
        } catch (CallException e) {
            inbox.fail(this, e);
        } catch (OutOfMemoryError e) { // also for a long answer of the server
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    options.place(),
                    e,
                    "{0} with id {1} found no memory for the request or its answer",
                    request.method(),
                    id());
            fail("there was no memory for the request or its answer", e);
        } catch (RuntimeException | Error e) { // the headers of users, or our own mistake
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    options.place(),
                    e,
                    "{0} with id {1} could not be sent",
                    request.method(),
                    id());
            fail("the request could not be sent", e);
        } finally {
            if (!isLeftToAnother()) {
                exchange.close();
            }
        }
    }

    private void post() throws IOException {
        streaming = requests.isLegacy();
        int questions = inbox.questions();
        Answer answer =
                exchange.send(
                        requests.post(request, headers, mirrored),
                        () -> Repeatable.is(request) && inbox.questions() == questions);
        try {
            take(answer);
        } finally {
            if (!isLeftToAnother()) {
                answer.close();
            }
        }
    }

    /** The request waits for nothing any more; a stream that is open has a little time to end. */
    void settled() {
        if (streaming) {
            exchange.stopAfter(options.gracePeriods.linger());
        } else {
            releaseCaller();
        }
    }

    /** Ends the exchange if the waiting thread makes it, for any other thread. */
    void releaseCaller() {
        if (caller != null && !isOnCaller() && !streaming) {
            exchange.stop();
        }
    }

    private boolean isOnCaller() {
        return Thread.currentThread() == caller;
    }

    private boolean isLeftToAnother() {
        return isLeft && isOnCaller();
    }

    /** The server has received the cancellation; it has a short time to end the exchange. */
    void cancelled() {
        exchange.stopAfter(options.gracePeriods.linger());
    }

    /**
     * Returns whether the request contains everything that its server must know: it has no session,
     * its stream is not resumed, and the end of its exchange is its cancellation.
     */
    boolean isSelfContained() {
        return mirrored != null;
    }

    /**
     * Returns whether the server has taken nothing of it so far, since it waits for authorization.
     */
    boolean isHeld() {
        return exchange.isHeld();
    }

    /** Stops the exchange, whose end is no failure of the request: nothing waits for it. */
    void stop() {
        stopped = true;
        exchange.stop();
    }

    boolean isStopped() {
        return stopped;
    }

    /** Drops a request that will never run. */
    void discard() {
        exchange.close();
    }

    /** The exception for an answer that cannot be read. */
    ConnectionException malformed(MalformedMessageException e) {
        return failure(
                "the answer of the server at "
                        + options.place()
                        + " is not a JSON-RPC message: "
                        + e.getMessage(),
                e);
    }

    private ConnectionException failure(String reason, Throwable cause) {
        return new ConnectionException(request.method() + " failed: " + reason, cause);
    }

    private void fail(String reason, Throwable cause) {
        inbox.fail(this, failure(reason, cause));
    }

    /** The response will not come. */
    void fail(String reason) {
        inbox.fail(this, new ConnectionException(request.method() + " failed: " + reason));
    }

    private void take(Answer answer) throws IOException {
        LOGGER.log(
                Level.DEBUG,
                "{0} with id {1}: status {2}",
                request.method(),
                id(),
                Integer.toString(answer.status()));
        if (!answer.isSuccess()) {
            refused(answer);
            return;
        }
        if (requests.isLegacy()) {
            answer.skip();
            return; // the response comes over the stream
        }
        if (isInitialize()) {
            requests.adoptSession(answer);
        }
        if (answer.isEventStream()) {
            follow(answer);
        } else if (answer.isJson()) {
            takeJson(answer);
        } else {
            inbox.fail(this, refusal(answer));
        }
    }

    /** An answer that no endpoint of MCP gives to a first request is explained. */
    private ConnectionException refusal(Answer answer) {
        ConnectionException refusal = answer.refusal(request.method(), options.place());
        if (isSelfContained() && answer.isForeign()) {
            return new ForeignAnswerException(refusal.getMessage(), refusal);
        }
        return isFirst() && answer.isNoEndpoint()
                ? new ConnectionException(refusal.getMessage() + "; " + noEndpoint())
                : refusal;
    }

    private String noEndpoint() {
        URI uri = options.endpoint;
        String usual = uri.getScheme() + "://" + uri.getRawAuthority() + "/mcp";
        return options.place().equals(usual)
                ? "there is no MCP endpoint at this URL"
                : "this is no MCP endpoint, did you mean " + usual + "?";
    }

    private void takeJson(Answer answer) throws IOException {
        try {
            byte[] json = answer.bytes(options.maxMessageSize);
            inbox.take(json, id());
            if (inbox.expects(this)) {
                fail(
                        "the answer of the server at "
                                + options.place()
                                + " is not the response"
                                + difference(JsonRpcMessage.parse(json)));
            }
        } catch (MalformedMessageException e) {
            inbox.fail(this, malformed(e));
        }
    }

    private String difference(JsonRpcMessage message) {
        return switch (message) {
            case JsonRpcResponse response ->
                    ", since its id is " + response.id() + " and not " + id();
            case JsonRpcErrorResponse response ->
                    ", since its id is " + response.id() + " and not " + id();
            case JsonRpcRequest other -> " but a request";
            case JsonRpcNotification other -> " but a notification";
            case Batch batch -> " but a batch";
        };
    }

    private void refused(Answer answer) throws IOException {
        if (isDiscover() && answer.isSilentOnEra()) { // with any error in its body
            inbox.fail(this, refusal(answer));
        } else if (answer.isSessionGone()) {
            inbox.fail(this, expired(answer.lostSession().orElseThrow()));
        } else if (answer.mayBeLegacy() && isInitialize() && fallsBack()) {
            post();
        } else if (answer.status() == 401 || !answer.isJson() || !isError(answer)) {
            inbox.fail(this, refusal(answer));
        }
    }

    private SessionExpiredException expired(LostSession lost) {
        requests.sessionIsGone();
        String message =
                request.method()
                        + " failed: the server at "
                        + options.place()
                        + " has ended the session"
                        + (lost.words().isEmpty()
                                ? ""
                                : " (\"" + Printable.excerpt(lost.words()) + "\")");
        return lost.mayHaveRun()
                ? SessionExpiredException.afterRequest(
                        message + ", and may have processed the request")
                : new SessionExpiredException(message);
    }

    /** The failure of a request whose error reports that the server no longer has its session. */
    Optional<SessionExpiredException> expired(JsonRpcError error) {
        return isSelfContained() || isInitialize()
                ? Optional.empty()
                : requests.session()
                        .flatMap(session -> LostSession.of(error, session))
                        .map(this::expired);
    }

    /** Returns whether this is the first request to the server, so that a wrong URL is likely. */
    private boolean isFirst() {
        boolean opens = isInitialize() || isDiscover() && !requests.isAgreed();
        return opens && !requests.isLegacy();
    }

    private boolean isDiscover() {
        return request.method().equals("server/discover");
    }

    private boolean isInitialize() {
        return HttpRequests.isInitialize(request);
    }

    /** Returns whether the server turns out to be of the old kind. */
    private boolean fallsBack() {
        if (requests.isLegacy()) {
            return false;
        }
        try {
            return legacy.tryOpen();
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "{0} offers no HTTP+SSE: {1}", options.place(), e.getMessage());
            return false;
        }
    }

    /**
     * Takes the error of this request, or of none in particular, if the body of a refusal is one.
     * The latter was not processed, and is retryable where the status says so, after the time of
     * {@code Retry-After} unless the error contains a time.
     */
    private boolean isError(Answer answer) throws IOException {
        byte[] json = answer.bytes(LARGEST_ERROR);
        try {
            if (!(JsonRpcMessage.parse(json) instanceof JsonRpcErrorResponse error)) {
                return false;
            }
            if (error.id() == null && answer.isRetryable()) {
                var marked = RetryableError.mark(error.error());
                if (RetryableError.retryAfter(marked).isEmpty()
                        && answer.retryAfter().isPresent()) {
                    marked = RetryableError.mark(marked, answer.retryAfter().get());
                }
                inbox.take(new JsonRpcErrorResponse(id(), marked).toBytes(), id());
                return true;
            }
            boolean mine = error.id() == null || error.id().equals(id());
            if (mine) {
                inbox.take(json, id());
            }
            return mine;
        } catch (MalformedMessageException e) {
            return false;
        }
    }

    private void follow(Answer begun) throws TooLargeException {
        streaming = true;
        if (isOnCaller()) { // which has to pass on the messages that come before the response
            exchange.continueWith(() -> perform(() -> read(begun)));
            isLeft = true;
        } else {
            read(begun);
        }
    }

    private void read(Answer begun) throws TooLargeException {
        if (!inbox.expects(this)) {
            settled(); // while the POST was under way
        }
        new AnswerStream(this, options, requests, inbox, exchange).follow(begun);
    }
}
