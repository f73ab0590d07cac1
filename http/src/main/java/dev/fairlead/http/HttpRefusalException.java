package dev.fairlead.http;

/** Refuses the HTTP request that the current thread handles. */
final class HttpRefusalException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient HttpRefusal refusal;

    HttpRefusalException(HttpRefusal refusal) {
        super(refusal.message(), null, false, false); // expected and frequent: no stack trace
        this.refusal = refusal;
    }

    HttpRefusalException(RefusalReason reason, String message) {
        this(new HttpRefusal(reason, message));
    }

    HttpRefusal refusal() {
        return refusal;
    }
}
