package dev.fairlead.tasks;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.tasks.TaskId;

/**
 * The side that ran the task does not know it any more: its time to live is over, or it was never
 * known there. A result that it had is gone.
 */
public final class TaskExpiredException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    private final transient TaskId task;

    /** The peer answered with this error. */
    public TaskExpiredException(TaskId task, JsonRpcException answer) {
        super(answer.error(), answer);
        this.task = task;
    }

    /** The peer still reports the task when its time to live has long been over. */
    public TaskExpiredException(TaskId task) {
        super(
                new JsonRpcError(
                        ErrorCode.INVALID_PARAMS,
                        "Task " + task + " has not ended, although its time to live is over"),
                null);
        this.task = task;
    }

    /** The task. */
    public TaskId task() {
        return task;
    }
}
