package dev.fairlead.examples;

/** An example was started with arguments that it does not take. */
final class UsageException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /**
     * @param message the error, for people
     */
    UsageException(String message) {
        super(message);
    }
}
