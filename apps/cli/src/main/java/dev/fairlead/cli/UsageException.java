package dev.fairlead.cli;

/** The command line cannot be run in this form; the message contains the allowed one. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
