package dev.fairlead.tasks;

/**
 * The state of a task, independent of the revision: the wire maps it to {@code completed} or {@code
 * failed} as its revision demands.
 */
public enum TaskState {
    /** It runs, or waits for an outside job. */
    WORKING,
    /** It waits for an answer of its requestor. */
    INPUT_REQUIRED,
    /** It ended with a result. */
    RESULT,
    /** It ended with a result that reports a failure, such as {@code isError} of a tool. */
    FAILURE,
    /** It ended with an error of the protocol. */
    ERROR,
    /** Its requestor cancelled it. */
    CANCELLED,
    /** Its time to live is over; its contents are gone. */
    EXPIRED;

    /** Whether the state never changes any more. */
    public boolean isEnded() {
        return this != WORKING && this != INPUT_REQUIRED;
    }
}
