package dev.fairlead.cli;

/** How a command ends, for scripts. */
final class ExitStatus {
    /** All is well. */
    static final int OK = 0;

    /** The tool answered that it failed; its result is printed all the same. */
    static final int TOOL_FAILED = 1;

    /** The place to serve in cannot be had, such as a port that is taken. */
    static final int NOT_SERVED = 1;

    /** The server answered with a JSON-RPC error. */
    static final int REFUSED = 2;

    /** No connection, no answer in time, or one that is none of the protocol. */
    static final int NO_ANSWER = 3;

    /** The command is not one that can be run; nothing was sent. */
    static final int USAGE = 64;

    /**
     * Standard output could not be written; or the answer is printed, but its attachments could not
     * be written to the place of {@code --out}.
     */
    static final int NOT_SAVED = 74;

    /** Ended by Ctrl-C. */
    static final int INTERRUPTED = 130;

    private ExitStatus() {}
}
