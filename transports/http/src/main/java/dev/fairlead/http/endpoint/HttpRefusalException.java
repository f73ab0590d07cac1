package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;

/** Refuses the HTTP request that the current thread handles. */
public class HttpRefusalException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient HttpRefusal refusal;

    public HttpRefusalException(HttpRefusal refusal) {
        super(refusal.message(), null, false, false); // expected and frequent: no stack trace
        this.refusal = refusal;
    }

    public HttpRefusalException(RefusalReason reason, String message) {
        this(new HttpRefusal(reason, message));
    }

    public final HttpRefusal refusal() {
        return refusal;
    }
}
