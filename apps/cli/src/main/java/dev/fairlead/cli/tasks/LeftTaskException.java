package dev.fairlead.cli.tasks;

/**
 * The user does not wait for a task any longer, and it continues; the message contains the command
 * that returns to it.
 */
public final class LeftTaskException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LeftTaskException(String message) {
        super(message, null, false, false);
    }
}
