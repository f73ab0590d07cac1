package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC error. A handler throws it to answer with exactly this error; a caller catches it when
 * the peer answered with one. Unknown codes arrive unchanged.
 */
public class JsonRpcException extends CallException {
    private static final long serialVersionUID = 1;

    private final transient JsonRpcError error;

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
