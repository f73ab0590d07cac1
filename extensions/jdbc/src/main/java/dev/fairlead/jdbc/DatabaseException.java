package dev.fairlead.jdbc;

/**
 * A database could not be opened: it is in use by another process, cannot be reached, or is not
 * durable; or its keys of request states cannot be read. The message states which.
 */
public final class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DatabaseException(String message) {
        super(message);
    }

    DatabaseException(String message, Throwable cause) {
        super(message, cause);
    }
}
