package dev.fairlead.tasks;

/**
 * A store could not do what it was asked: the database is gone, the disk is full. What was asked
 * may or may not have happened.
 */
public final class TaskStoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TaskStoreException(String message) {
        super(message);
    }

    public TaskStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
