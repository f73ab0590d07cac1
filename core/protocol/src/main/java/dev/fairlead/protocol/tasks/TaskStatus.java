package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonName;

/** The status of a task. */
public enum TaskStatus {
    /** It is under way; every task begins so. */
    @JsonName("working")
    WORKING,
    /** It waits for an answer of the side that asked for it. */
    @JsonName("input_required")
    INPUT_REQUIRED,
    /** It has ended with its result. */
    @JsonName("completed")
    COMPLETED,
    /** It has ended with an error, or with a result that says that the tool failed. */
    @JsonName("failed")
    FAILED,
    /** It was cancelled. */
    @JsonName("cancelled")
    CANCELLED;

    /** Returns whether a task stays so for ever. */
    public boolean isTerminal() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }
}
