package dev.fairlead.cli.ask;

/** The person left a question without an answer: by Ctrl-D, Ctrl-C, or the word for it. */
final class LeftException extends Exception {
    private static final long serialVersionUID = 1;

    LeftException() {
        super("left", null, false, false);
    }
}
