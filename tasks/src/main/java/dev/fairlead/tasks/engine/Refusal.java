package dev.fairlead.tasks.engine;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.tasks.TaskId;

import java.time.Duration;

/** The errors of refused operations. */
final class Refusal {
    private Refusal() {}

    /** For unknown ids, foreign ones and those that cannot be one alike. */
    static JsonRpcException unknown(TaskId id) {
        String value = id.value();
        return JsonRpcException.invalidParams(
                "Unknown task: "
                        + (value.length() <= TaskIds.MAX_LENGTH
                                ? value
                                : value.substring(0, TaskIds.MAX_LENGTH) + "…"));
    }

    static JsonRpcException expired() {
        return JsonRpcException.invalidParams("Task has expired");
    }

    /** The response to a request for the result of a task that has none. */
    static JsonRpcException cancelled(TaskId id) {
        return new JsonRpcException(
                ErrorCode.INTERNAL_ERROR,
                "Task was cancelled",
                JsonObject.of("taskId", id.value(), "status", "cancelled"));
    }

    static JsonRpcException hasEnded() {
        return JsonRpcException.invalidParams("Task has ended and cannot be cancelled");
    }

    static JsonRpcException limit(String message) {
        return RetryableError.exception(McpErrorCode.LIMIT_EXCEEDED, message);
    }

    /**
     * Too many operations.
     *
     * @param retryAfter the time until the next is allowed
     */
    static JsonRpcException rate(String message, Duration retryAfter) {
        return RetryableError.exception(McpErrorCode.LIMIT_EXCEEDED, message, retryAfter);
    }

    static JsonRpcException closing() {
        return RetryableError.exception(ErrorCode.INTERNAL_ERROR, "Tasks are closing");
    }

    /** Without the cause, which is logged. */
    static JsonRpcException unavailable() {
        return RetryableError.exception(
                ErrorCode.INTERNAL_ERROR, "The task store is not available");
    }
}
