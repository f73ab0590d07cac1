package dev.fairlead.protocol;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Errors of requests that may succeed when they are sent again later: their {@code data.retryable}
 * is true. The request was not processed, unless a store failed, which may have made the change.
 * The member is Fairlead's own. It distinguishes a refused {@code tasks/result} from the error of
 * the task.
 */
public final class RetryableError {
    private static final String MARK = "retryable";

    private RetryableError() {}

    /** Creates an exception whose error is marked as retryable. */
    public static JsonRpcException exception(int code, String message) {
        return new JsonRpcException(mark(new JsonRpcError(code, message)), null);
    }

    /** Marks an error as retryable. Its data is kept if it is an object, and replaced otherwise. */
    public static JsonRpcError mark(JsonRpcError error) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        if (error.data() instanceof JsonObject data) {
            members.putAll(data.members());
        }
        members.put(MARK, JsonValue.of(true));
        return new JsonRpcError(error.code(), error.message(), new JsonObject(members));
    }

    /** Returns whether an error is marked as retryable. */
    public static boolean isRetryable(JsonRpcError error) {
        return error.data() instanceof JsonObject data && JsonValue.of(true).equals(data.get(MARK));
    }
}
