package dev.fairlead.tasks;

/** No further task is taken: its owner has its most that have not ended, or the store is full. */
public final class TooManyTasksException extends Exception {
    private static final long serialVersionUID = 1;

    public TooManyTasksException(String message) {
        super(message);
    }
}
