package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.page.HtmlPage;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.stream.OutgoingEvent;
import dev.fairlead.http.stream.StreamWriter;
import dev.fairlead.http.stream.StreamWriters;
import dev.fairlead.http.stream.WaitingBytes;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.engine.WireTap;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The answer to one HTTP request, with the headers that every answer has. */
public final class Reply {
    public static final String SESSION_ID = "MCP-Session-Id";

    private static final int TOO_MANY_REQUESTS = 429;

    /** Answers up to this size are not counted: there are only so many connections. */
    private static final int TINY = 512;

    private static final byte[] NOTHING = new byte[0];
    private final HttpExchange exchange;
    private final Counters counters;
    private final BooleanSupplier last;
    private final List<String> headers = new ArrayList<>(4); // names and values in turn
    private @Nullable BiFunction<Set<String>, String, String> challenge;
    private Caller caller = Caller.anonymous();
    private @Nullable RequestSource source;
    private @Nullable Caller sourceOf; // the caller of this source
    private Supplier<String> subject = () -> "the request";
    private boolean retryLater;
    private boolean perRequest;
    private WaitingBytes.@Nullable Share waiting;
    private volatile boolean begun;

    /**
     * @param last returns whether the connection is to be closed after the answer, so that the next
     *     request finds another server; a stream ends by itself
     */
    Reply(HttpExchange exchange, Counters counters, BooleanSupplier last) {
        this.exchange = exchange;
        this.counters = counters;
        this.last = last;
    }

    /** The session that a request names. An empty header is none, as some clients send it first. */
    public static Optional<String> sessionId(HttpExchange exchange) {
        return exchange.header(SESSION_ID).filter(id -> !id.isEmpty());
    }

    /** Sets a header; only before the answer. */
    public Reply header(String name, String value) {
        for (int i = 0; i < headers.size(); i += 2) {
            if (headers.get(i).equals(name)) {
                headers.set(i + 1, value);
                return this;
            }
        }
        headers.add(name);
        headers.add(value);
        return this;
    }

    /** Returns the source of the request if this is its caller. To be called by one thread. */
    public RequestSource source(Caller of) {
        RequestSource known = source;
        if (known == null || sourceOf != of) {
            known = RequestSource.of(exchange, of);
            source = known;
            sourceOf = of;
        }
        return known;
    }

    /**
     * Makes an answer that names missing scopes a challenge; called before the request is
     * processed.
     *
     * @param caller who lacks them, for the log
     * @param challenge gives the value of {@code WWW-Authenticate} for the scopes and a message
     */
    void challenging(Caller caller, BiFunction<Set<String>, String, String> challenge) {
        this.caller = caller;
        this.challenge = challenge;
    }

    /** The one request that is answered, for the log. */
    void about(Supplier<String> answered) {
        subject = answered;
    }

    /**
     * The request is one of revision 2026-07-28 or later: a limit refuses it with 429, and no error
     * has a code of the range -32000 to -32019.
     */
    public void perRequest() {
        perRequest = true;
    }

    /** Counts the bytes that wait to be written from now on. */
    void counted(WaitingBytes.Share share) {
        waiting = share;
    }

    /** The share that counts the waiting bytes; null if they are not counted. */
    public WaitingBytes.@Nullable Share waiting() {
        return waiting;
    }

    /**
     * Answers the request with 503 and {@code Retry-After}, whether its response is a result or an
     * error.
     *
     * @param failure contains the time to wait, unless that is 1 s
     */
    public void retryLater(JsonRpcError failure) {
        retryLater = true;
        retryAfter(failure);
    }

    private void retryAfter(JsonRpcError failure) {
        Duration wait = RetryableError.retryAfter(failure).orElse(HttpRefusal.SOON);
        header("Retry-After", HttpRefusal.seconds(wait));
    }

    /** One response, as JSON. */
    public void response(JsonRpcMessage response) {
        int status = retryLater ? 503 : 200;
        if (challenge != null && response instanceof JsonRpcErrorResponse failure) {
            var refusal = InsufficientScopeException.of(failure.error());
            if (refusal.isPresent()) {
                Set<String> required = refusal.get().requiredScopes();
                header("WWW-Authenticate", challenge.apply(required, failure.error().message()));
                status = 403;
                counters.refused(lacksScope(required), status, exchange);
            }
        }
        json(status, response.toBytes(), () -> unread(response));
    }

    private HttpRefusal lacksScope(Set<String> required) {
        return new HttpRefusal(
                RefusalReason.INSUFFICIENT_SCOPE,
                "The token lacks a required scope: %s requires %s, caller %s"
                        .formatted(subject.get(), String.join(" ", required), caller));
    }

    /** The response of a JSON-RPC request that is refused, with a status of its own. */
    public void refused(int status, JsonRpcErrorResponse response) {
        if (RetryableError.isRetryable(response.error())) {
            retryAfter(response.error());
        }
        JsonRpcErrorResponse sent = perRequest ? WireTap.refusal(response) : response;
        json(status, sent.toBytes(), () -> unread(sent));
    }

    /** The responses of a batch, as JSON. */
    public void batch(Batch responses) {
        json(
                200,
                responses.toBytes(),
                () ->
                        new Batch(
                                responses.messages().stream().map(this::unread).toList(),
                                List.of()));
    }

    /**
     * Waits for room, and sends another message where there is none: one with the ids of the
     * requests, or without them where they are too large as well.
     */
    private void json(int status, byte[] body, Supplier<JsonRpcMessage> otherwise) {
        if (waiting == null || body.length <= TINY || waiting.takeInstead(body.length)) {
            json(status, body);
            return;
        }
        byte[] shorter = otherwise.get().toBytes();
        if (mayWait(shorter.length)) {
            json(status, shorter);
        } else {
            json(500, dropped(null).toBytes());
        }
    }

    private boolean mayWait(int size) {
        return waiting == null || size <= TINY || waiting.tryTake(size);
    }

    /**
     * Counts the response to a request of a batch, which waits for the others.
     *
     * @return the response to keep: an error in its place if there is no room. The error is not
     *     counted, since its request is, with its body, until the last of the batch has ended
     */
    public JsonRpcMessage kept(JsonRpcMessage response) {
        return mayWait(response.expectedSize()) ? response : unread(response);
    }

    /** Gives back all that was counted, for responses that a stream counts from now on. */
    public void releaseCounted() {
        if (waiting != null) {
            waiting.release();
        }
    }

    private JsonRpcMessage unread(JsonRpcMessage response) {
        return dropped(answeredBy(response));
    }

    /** Returns the id of the request that a message answers; null if it answers none. */
    public static @Nullable RequestId answeredBy(JsonRpcMessage message) {
        return switch (message) {
            case JsonRpcResponse success -> success.id();
            case JsonRpcErrorResponse failure -> failure.id();
            default -> null;
        };
    }

    private JsonRpcMessage dropped(@Nullable RequestId id) {
        return new JsonRpcErrorResponse(
                id,
                new JsonRpcError(
                        perRequest ? ErrorCode.INTERNAL_ERROR : McpErrorCode.LIMIT_EXCEEDED,
                        "The answer was dropped, since too many answers wait to be read; read them,"
                                + " or raise HttpOptions.maxAnswerSum"));
    }

    /**
     * Ends the exchange of a request that was cancelled, without a response.
     *
     * @param asEvents whether the client accepts a stream of events, which is empty then
     */
    public void nothing(boolean asEvents) {
        if (asEvents) {
            header("Content-Type", MediaTypes.EVENTS);
            header("Cache-Control", "no-store");
            respond(200, NOTHING);
        } else {
            respond(202, NOTHING);
        }
    }

    /** An answer without a body. */
    public void empty(int status) {
        respond(status, NOTHING);
    }

    /** A page for a person. */
    void page(HtmlPage page) {
        HtmlPage.headers().forEach(this::header);
        respond(page.status(), page.bytes());
    }

    /** One JSON text. */
    private void json(int status, byte[] body) {
        header("Content-Type", MediaTypes.JSON);
        respond(status, body);
    }

    private void respond(int status, byte[] body) {
        if (last.getAsBoolean()) {
            header("Connection", "close");
        }
        begun = true;
        WaitingBytes.Share share = waiting;
        Runnable done = share == null ? () -> {} : share::release;
        boolean taken = false;
        try {
            exchange.respond(ResponseHead.of(status, headers), body, done);
            taken = true;
        } finally {
            if (!taken) { // such as for a header that the engine cannot send
                done.run();
            }
        }
    }

    /**
     * Refuses a JSON-RPC request, which was not processed.
     *
     * @param request null where it is not one request
     */
    public void refuse(HttpRefusal refusal, @Nullable RequestId request) {
        boolean limit =
                refusal.reason() == RefusalReason.REQUEST_LIMIT
                        || refusal.reason() == RefusalReason.RESULT_WAIT_LIMIT;
        if (perRequest && limit) {
            refuse(refusal.withRetryAfter(HttpRefusal.SOON), TOO_MANY_REQUESTS, request);
        } else {
            refuse(refusal, refusal.reason().status(), request);
        }
    }

    /** Refuses the request with another status than that of the reason. */
    public void refuse(HttpRefusal refusal, int status) {
        refuse(refusal, status, null);
    }

    private void refuse(HttpRefusal refusal, int status, @Nullable RequestId request) {
        counters.refused(refusal, status, exchange);
        Duration retryAfter = refusal.retryAfter();
        int code =
                refusal.reason() == RefusalReason.CLOSING
                        ? ErrorCode.INTERNAL_ERROR
                        : ErrorCode.INVALID_REQUEST;
        var error = new JsonRpcError(code, refusal.message());
        if (retryAfter != null) {
            header("Retry-After", HttpRefusal.seconds(retryAfter));
        }
        if (Counters.isTemporary(status)) {
            error =
                    retryAfter == null
                            ? RetryableError.mark(error)
                            : RetryableError.mark(error, retryAfter);
        }
        json(status, new JsonRpcErrorResponse(request, error).toBytes());
    }

    /** Refuses a body that is not a message, with the error responses that are due. */
    public void refuseMalformed(byte[] responses) {
        var refusal =
                new HttpRefusal(
                        RefusalReason.MALFORMED, "The body is not a valid JSON-RPC message");
        if (!mayWait(responses.length)) {
            refuse(refusal, null); // a batch has many, each with the id that the client chose
            return;
        }
        counters.refused(refusal, refusal.reason().status(), exchange);
        json(refusal.reason().status(), responses);
    }

    /** Refuses the request, unless a response has begun. */
    public void refuse(HttpRefusalException refused) {
        if (!begun) {
            refuse(refused.refusal(), null);
        }
    }

    /** Answers with 500, unless an answer has begun. */
    public void failed() {
        if (!begun) {
            var error = new JsonRpcError(ErrorCode.INTERNAL_ERROR, "Internal error");
            json(500, new JsonRpcErrorResponse(null, error).toBytes());
        }
    }

    /**
     * Becomes the connection of a stream of events.
     *
     * @param onGone called once when the connection has ended or failed, with the lost events
     */
    public StreamWriter connect(
            StreamWriters writers, EventStream stream, Consumer<List<OutgoingEvent>> onGone) {
        return writers.connect(stream, waiting, this::events, false, onGone);
    }

    /**
     * Becomes the connection of a stream of events that ends with its client, so that the client is
     * to be noticed soon when it leaves.
     */
    public StreamWriter connectProbing(StreamWriters writers, EventStream stream) {
        return writers.connect(stream, waiting, this::events, true, unwritten -> {});
    }

    private ResponseStream events() {
        header("Content-Type", MediaTypes.EVENTS);
        header("Cache-Control", "no-store");
        header("X-Accel-Buffering", "no");
        begun = true;
        return exchange.stream(ResponseHead.of(200, headers));
    }
}
