package dev.fairlead.protocol;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Errors by which a request is refused that may succeed a little later: their {@code data.notNow}
 * is true. It was not processed, unless a store failed, which may have made the change. The member
 * is Fairlead's own. By it a requestor can tell that a {@code tasks/result} was refused from the
 * error with which the task ended.
 */
public final class NotNow {
    private static final String MARK = "notNow";

    private NotNow() {}

    /** A refusal with that mark. */
    public static JsonRpcException because(int code, String message) {
        return new JsonRpcException(mark(new JsonRpcError(code, message)), null);
    }

    /** Gives an error that mark; its data is kept if it is an object, and replaced otherwise. */
    public static JsonRpcError mark(JsonRpcError error) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        if (error.data() instanceof JsonObject data) {
            members.putAll(data.members());
        }
        members.put(MARK, JsonValue.of(true));
        return new JsonRpcError(error.code(), error.message(), new JsonObject(members));
    }

    /** Whether an error has that mark. */
    public static boolean isSaidBy(JsonRpcError error) {
        return error.data() instanceof JsonObject data && JsonValue.of(true).equals(data.get(MARK));
    }
}
