package dev.fairlead.cli.servers;

/**
 * The text of the user, on the command line or in a servers file, leads to no server. The message
 * is for the user and holds no secrets.
 */
public final class TargetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TargetException(String message) {
        super(message);
    }
}
