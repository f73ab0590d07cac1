package dev.fairlead.tasks;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

/** Reports that there is no result because the task was cancelled, by either side. */
public final class TaskCancelledException extends CallException {
    private static final long serialVersionUID = 1;

    private final transient TaskId task;

    /**
     * @param statusMessage the status message of the side that ran the task; null for none
     */
    public TaskCancelledException(
            TaskId task, @Nullable String statusMessage, @Nullable Throwable cause) {
        super(
                "Task "
                        + task
                        + " was cancelled"
                        + (statusMessage == null ? "" : ": " + statusMessage),
                cause);
        this.task = task;
    }

    /** Returns the id of the task. */
    public TaskId task() {
        return task;
    }
}
