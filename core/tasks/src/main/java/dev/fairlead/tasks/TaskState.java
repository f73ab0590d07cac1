package dev.fairlead.tasks;

/**
 * The state of a task, independent of the revision: the wire maps it to {@code completed} or {@code
 * failed} as its revision demands.
 */
public enum TaskState {
    /** The task runs, or waits for an outside job. */
    WORKING,
    /** The task waits for an answer of its requestor. */
    INPUT_REQUIRED,
    /** The task ended with a result. */
    RESULT,
    /** The task ended with a result that reports a failure, such as {@code isError} of a tool. */
    FAILURE,
    /** The task ended with an error of the protocol. */
    ERROR,
    /** The requestor cancelled the task. */
    CANCELLED,
    /** The time to live of the task is over; its contents are gone. */
    EXPIRED;

    /** Returns whether the state never changes any more. */
    public boolean isEnded() {
        return this != WORKING && this != INPUT_REQUIRED;
    }
}
