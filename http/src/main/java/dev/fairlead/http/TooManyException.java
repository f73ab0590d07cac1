package dev.fairlead.http;

import java.time.Duration;

/** Somebody comes too often, which is answered with 429. */
final class TooManyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;
    private final Duration wait;

    /**
     * @param wait when there is place for one more
     */
    TooManyException(String reason, Duration wait) {
        super(reason);
        this.reason = reason;
        this.wait = wait;
    }

    /** What the client is told. */
    String reason() {
        return reason;
    }

    /** In how many seconds the client may come back, at least one. */
    long retryAfter() {
        return Math.max(1, wait.plusNanos(999_999_999).toSeconds());
    }
}
