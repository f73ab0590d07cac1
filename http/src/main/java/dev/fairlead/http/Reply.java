package dev.fairlead.http;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.NotNow;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The answer to one HTTP request, with the headers that every answer has. */
final class Reply {
    static final String SESSION_ID = "MCP-Session-Id";

    private static final byte[] NOTHING = new byte[0];

    private final HttpExchange exchange;
    private final Counters counters;
    private final boolean last;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable ScopeChallenge challenge;
    private volatile boolean begun;

    /**
     * @param last whether the connection is to be closed after the answer, so that the next request
     *     finds another server; a stream ends by itself
     */
    Reply(HttpExchange exchange, Counters counters, boolean last) {
        this.exchange = exchange;
        this.counters = counters;
        this.last = last;
    }

    /** Adds a header; only before the answer. */
    Reply header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** How the caller is asked for scopes; only before the request is processed. */
    interface ScopeChallenge {
        /** The value of {@code WWW-Authenticate}. */
        String of(Set<String> required, String message);
    }

    /** From now on an answer that names missing scopes is a challenge (AUTH-047). */
    void challenging(ScopeChallenge challenge) {
        this.challenge = challenge;
    }

    /** One response, as JSON. */
    void response(JsonRpcMessage response) {
        int status = 200;
        if (challenge != null && response instanceof JsonRpcErrorResponse failure) {
            var refusal = InsufficientScopeException.of(failure.error());
            if (refusal.isPresent()) {
                Set<String> required = refusal.get().requiredScopes();
                header("WWW-Authenticate", challenge.of(required, failure.error().message()));
                status = 403;
            }
        }
        json(status, response.toBytes());
    }

    /** An answer without a body. */
    void empty(int status) {
        respond(status, NOTHING);
    }

    /** One JSON text. */
    void json(int status, byte[] body) {
        header("Content-Type", "application/json");
        respond(status, body);
    }

    private void respond(int status, byte[] body) {
        if (last) {
            header("Connection", "close");
        }
        begun = true;
        exchange.respond(new ResponseHead(status, headers), body);
    }

    /** Refuses the request, which was not processed. */
    void refuse(int status, String message) {
        refuse(status, null, message);
    }

    /** Refuses a JSON-RPC request, which was not processed. */
    void refuse(int status, @Nullable RequestId request, String message) {
        boolean notNow = status == 503 || status == 429;
        if (notNow) {
            counters.requestRefused();
        }
        var error = new JsonRpcError(ErrorCode.INVALID_REQUEST, message);
        var told = notNow ? NotNow.mark(error) : error;
        json(status, new JsonRpcErrorResponse(request, told).toBytes());
    }

    /** Tells, unless an answer has begun, that the request cannot be served just now. */
    void unavailable(String message) {
        if (!begun) {
            refuse(503, message);
        }
    }

    /** Tells, unless an answer has begun, that the client comes too often. */
    void tooMany(TooManyException refusal) {
        if (!begun) {
            header("Retry-After", Long.toString(refusal.retryAfter()));
            refuse(429, refusal.reason());
        }
    }

    /** Tells, unless an answer has begun, that the request failed for no fault of the client. */
    void failed() {
        if (!begun) {
            var error = new JsonRpcError(ErrorCode.INTERNAL_ERROR, "Internal error");
            json(500, new JsonRpcErrorResponse(null, error).toBytes());
        }
    }

    /** Starts a stream of events. */
    ResponseStream events() {
        header("Content-Type", "text/event-stream");
        header("Cache-Control", "no-store");
        header("X-Accel-Buffering", "no");
        begun = true;
        return exchange.stream(new ResponseHead(200, headers));
    }
}
