package dev.fairlead.cli.shell;

/** A line that is not a command; the message says what is wrong. */
final class ShellUsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ShellUsageException(String message) {
        super(message);
    }
}
