package dev.fairlead.cli.shell;

/** A line that is not a command; the message contains the reason. */
final class ShellUsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ShellUsageException(String message) {
        super(message);
    }
}
