package dev.fairlead.processor;

/** A type has no JSON form, or code of this package cannot reach it; the message says which. */
final class UnsupportedTypeException extends Exception {
    private static final long serialVersionUID = 1;

    UnsupportedTypeException(String message) {
        super(message);
    }
}
