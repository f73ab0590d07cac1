package dev.fairlead.protocol;

import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Errors of requests that may succeed when they are sent again later: their {@code data.retryable}
 * is true. The request was not processed, unless a store failed, which may have made the change.
 * Where the refusing side can compute when the request may succeed, {@code data.retryAfterMs} is
 * the time until then, in whole milliseconds. Both members are Fairlead's own. They distinguish a
 * refused {@code tasks/result} from the error of the task.
 */
public final class RetryableError {
    private static final String MARK = "retryable";
    private static final String RETRY_AFTER = "retryAfterMs";

    private RetryableError() {}

    /** Creates an exception whose error is marked as retryable. */
    public static JsonRpcException exception(int code, String message) {
        return new JsonRpcException(mark(new JsonRpcError(code, message)), null);
    }

    /**
     * Creates an exception whose error is marked as retryable.
     *
     * @param retryAfter the time until the request may succeed, at least zero; sent in milliseconds
     *     and rounded up
     * @throws IllegalArgumentException if {@code retryAfter} is negative
     */
    public static JsonRpcException exception(int code, String message, Duration retryAfter) {
        return new JsonRpcException(mark(new JsonRpcError(code, message), retryAfter), null);
    }

    /**
     * Marks an error as retryable, without a time unless it has one. Its data is kept if it is an
     * object, and replaced otherwise.
     */
    public static JsonRpcError mark(JsonRpcError error) {
        return with(error, MARK, JsonValue.of(true));
    }

    /**
     * Marks an error as retryable after a time, in place of an earlier one. Its data is kept if it
     * is an object, and replaced otherwise.
     *
     * @param retryAfter at least zero; sent in milliseconds and rounded up
     * @throws IllegalArgumentException if {@code retryAfter} is negative
     */
    public static JsonRpcError mark(JsonRpcError error, Duration retryAfter) {
        if (retryAfter.isNegative()) {
            throw new IllegalArgumentException(
                    "retryAfter must not be negative but was " + retryAfter);
        }
        long millis = TimeUnit.MILLISECONDS.convert(retryAfter);
        boolean rounded = retryAfter.getNano() % 1_000_000 > 0 && millis < Long.MAX_VALUE;
        return with(mark(error), RETRY_AFTER, JsonValue.of(rounded ? millis + 1 : millis));
    }

    private static JsonRpcError with(JsonRpcError error, String name, JsonValue value) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        if (error.data() instanceof JsonObject data) {
            members.putAll(data.members());
        }
        members.put(name, value);
        return new JsonRpcError(error.code(), error.message(), new JsonObject(members));
    }

    /** Returns whether an error is marked as retryable. */
    public static boolean isRetryable(JsonRpcError error) {
        return error.data() instanceof JsonObject data && JsonValue.of(true).equals(data.get(MARK));
    }

    /**
     * Returns the time after which a request that failed with this error may succeed. Empty if the
     * error is not retryable, has no such time, or one that is not a whole number of milliseconds
     * from 0 on.
     */
    public static Optional<Duration> retryAfter(JsonRpcError error) {
        return isRetryable(error)
                        && error.data() instanceof JsonObject data
                        && data.get(RETRY_AFTER) instanceof JsonNumber millis
                        && millis.isLong()
                        && millis.longValue() >= 0
                ? Optional.of(Duration.ofMillis(millis.longValue()))
                : Optional.empty();
    }
}
