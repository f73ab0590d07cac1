package dev.fairlead.http;

/** A request cannot be served just now, which is answered with 503. */
final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    UnavailableException(String reason) {
        super(reason);
        this.reason = reason;
    }

    /** What the client is told. */
    String reason() {
        return reason;
    }
}
