package dev.fairlead.tasks;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.tasks.TaskId;

/**
 * Reports that a task is unknown to the side that ran it: its time to live is over, or it never
 * existed there. A result is gone.
 */
public final class TaskExpiredException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    private final transient TaskId task;

    /** Creates the exception for an error of the peer. */
    public TaskExpiredException(TaskId task, JsonRpcException answer) {
        super(answer.error(), answer);
        this.task = task;
    }

    /** Creates the exception for a task that the peer still reports long after its time to live. */
    public TaskExpiredException(TaskId task) {
        super(
                new JsonRpcError(
                        ErrorCode.INVALID_PARAMS,
                        "Task " + task + " has not ended, although its time to live is over"),
                null);
        this.task = task;
    }

    /** Returns the id of the task. */
    public TaskId task() {
        return task;
    }
}
