package dev.fairlead.tasks;

/** An owner has its most tasks that have not ended. */
public final class TooManyTasksException extends Exception {
    private static final long serialVersionUID = 1;

    public TooManyTasksException(String message) {
        super(message);
    }
}
