package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * A JSON-RPC error. A handler throws it to answer with exactly this error; a caller catches it when
 * the peer answered with one. Unknown codes arrive unchanged.
 *
 * <p>The error of a peer is no answer of the handler that asked it: where a handler lets it pass,
 * its tool answers with {@code isError} and the name of the request that failed, and any other
 * request with {@code -32603} and the same text. {@link #passedOn} makes it the handler's own.
 */
public class JsonRpcException extends CallException {
    private static final long serialVersionUID = 1;

    private final transient JsonRpcError error;
    private @Nullable String answered; // of a copy

    public JsonRpcException(int code, String message) {
        this(new JsonRpcError(code, message), null);
    }

    public JsonRpcException(int code, String message, @Nullable JsonValue data) {
        this(new JsonRpcError(code, message, data), null);
    }

    public JsonRpcException(JsonRpcError error, @Nullable Throwable cause) {
        super(error.message(), cause);
        this.error = error;
    }

    public static JsonRpcException invalidParams(String message) {
        return new JsonRpcException(ErrorCode.INVALID_PARAMS, message);
    }

    public static JsonRpcException invalidRequest(String message) {
        return new JsonRpcException(ErrorCode.INVALID_REQUEST, message);
    }

    public static JsonRpcException methodNotFound(String method) {
        return new JsonRpcException(ErrorCode.METHOD_NOT_FOUND, "Method not found: " + method);
    }

    /** Returns a copy that is the answer of a peer to a request with this method. */
    public final JsonRpcException answering(String method) {
        return copy(method);
    }

    /**
     * Returns a copy that is an error of this side: for a handler that answers its own caller with
     * the very error that a peer gave, as a gateway does.
     */
    public final JsonRpcException passedOn() {
        return copy(null);
    }

    private JsonRpcException copy(@Nullable String method) {
        try {
            JsonRpcException copy = (JsonRpcException) clone();
            copy.answered = method;
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e); // the class is Cloneable
        }
    }

    /**
     * Returns the method of the request that a peer answered with this error; empty if none did.
     */
    public final Optional<String> answeredRequest() {
        return Optional.ofNullable(answered);
    }

    public final JsonRpcError error() {
        return error;
    }

    public final int code() {
        return error.code();
    }

    public final @Nullable JsonValue data() {
        return error.data();
    }
}
