package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonName;

/** The status of a task. */
public enum TaskStatus {
    /** The task is under way; every task begins so. */
    @JsonName("working")
    WORKING,
    /** The task waits for an answer of the side that asked for it. */
    @JsonName("input_required")
    INPUT_REQUIRED,
    /** The task has ended with its result. */
    @JsonName("completed")
    COMPLETED,
    /** The task has ended with an error, or with a result that reports a failure of the tool. */
    @JsonName("failed")
    FAILED,
    /** The task was cancelled. */
    @JsonName("cancelled")
    CANCELLED;

    /** Returns whether a task stays so for ever. */
    public boolean isTerminal() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }
}
