package dev.fairlead.tasks;

/**
 * Reports that a store failed, such as an unreachable database or a full disk. The change may or
 * may not have been made.
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
