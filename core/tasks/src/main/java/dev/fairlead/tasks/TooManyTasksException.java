package dev.fairlead.tasks;

/** Refuses a task: its owner has reached the limit of unfinished tasks, or the store is full. */
public final class TooManyTasksException extends Exception {
    private static final long serialVersionUID = 1;

    public TooManyTasksException(String message) {
        super(message);
    }
}
