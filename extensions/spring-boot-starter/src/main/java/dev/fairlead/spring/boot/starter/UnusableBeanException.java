package dev.fairlead.spring.boot.starter;

/** A bean has annotated methods that cannot be called as the application means it. */
final class UnusableBeanException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String action;

    UnusableBeanException(String message, String action) {
        super(message);
        this.action = action;
    }

    /** The change that makes it usable. */
    String action() {
        return action;
    }
}
