package dev.fairlead.cli;

/** The command line cannot be run as it stands; the message says what is allowed instead. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
