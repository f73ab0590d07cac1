package dev.fairlead.cli.ask;

/** What was typed does not fit; the message says what does. */
final class InvalidInputException extends Exception {
    private static final long serialVersionUID = 1;

    InvalidInputException(String message) {
        super(message);
    }
}
