package dev.fairlead.benchmarks.soak;

/** The kind of a message that has to arrive once. */
enum Kind {
    /** Calls of tools, by their answers. */
    CALL("calls"),
    /** Runs of handlers, by the number of the call. */
    RUN("runs"),
    PROGRESS("progress"),
    /** Notifications on the stream of GET. */
    NOTE("notes"),
    /** Questions of plain calls and of tasks. */
    QUESTION("questions"),
    /** Tasks, by their results. */
    TASK("tasks");

    private final String plural;

    Kind(String plural) {
        this.plural = plural;
    }

    String plural() {
        return plural;
    }
}
