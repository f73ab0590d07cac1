package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskState;

/** Why a handler is to stop, for people. */
final class Reasons {
    static final String EXPIRED = "the task has expired";
    static final String CANCELLED = "the task was cancelled";
    static final String ENDED = "the task has ended";
    static final String TAKEN_OVER = "another node runs the task";
    static final String CLOSING = "tasks are closing";
    static final String FENCED = "this node was declared dead";
    static final String OVERDUE = "it takes too long";

    private Reasons() {}

    static String of(TaskState ended) {
        return switch (ended) {
            case EXPIRED -> EXPIRED;
            case CANCELLED -> CANCELLED;
            case RESULT, FAILURE, ERROR, WORKING, INPUT_REQUIRED -> ENDED;
        };
    }
}
