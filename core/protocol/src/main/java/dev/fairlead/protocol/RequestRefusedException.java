package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;

import java.util.Objects;

/**
 * Refuses a request before its handler runs: since revision 2026-07-28 its response over HTTP has a
 * status of its own.
 */
public final class RequestRefusedException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    /** The kind of a refusal. */
    public enum Kind {
        /** The request is malformed, or its client lacks a capability: 400. */
        INVALID,
        /** The revision or the server does not have the method: 404. */
        UNKNOWN_METHOD,
        /** A limit is reached: 429. */
        LIMIT,
        /** The server is closing: 503. */
        CLOSING
    }

    private final Kind kind;

    /**
     * @param error the error that is sent to the peer
     */
    public RequestRefusedException(Kind kind, JsonRpcError error) {
        super(error, null);
        this.kind = Objects.requireNonNull(kind, "kind");
    }

    /** Returns the refusal of a request that a limit does not admit, and that may be sent again. */
    public static RequestRefusedException limit(String message) {
        return retryable(Kind.LIMIT, message);
    }

    /** Returns the refusal of a request while the server closes; another one may answer it. */
    public static RequestRefusedException closing() {
        return retryable(Kind.CLOSING, "The server is closing");
    }

    private static RequestRefusedException retryable(Kind kind, String message) {
        return new RequestRefusedException(
                kind, RetryableError.mark(new JsonRpcError(ErrorCode.INTERNAL_ERROR, message)));
    }

    /** Returns the kind of the refusal. */
    public Kind kind() {
        return kind;
    }
}
