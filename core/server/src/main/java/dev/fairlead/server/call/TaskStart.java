package dev.fairlead.server.call;

/**
 * Unwinds a body whose call becomes a task, in which it starts again. An error, so that no handler
 * takes it for a failure.
 */
public final class TaskStart extends Error {
    private static final long serialVersionUID = 1;

    /** Creates the signal. */
    public TaskStart() {
        super("the call becomes a task, and the body starts again in it", null, false, false);
    }
}
