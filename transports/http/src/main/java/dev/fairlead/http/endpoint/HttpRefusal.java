package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * A refused HTTP request: {@link Reply#refuse} answers, counts and logs it.
 *
 * @param reason decides the status
 * @param message for the client and the log; contains nothing that a peer sent
 * @param value the value that the peer sent, for the log only, which cleans and shortens it; null
 *     if nothing is worth logging
 * @param retryAfter when the client may try again; null if that is unknown
 */
public record HttpRefusal(
        RefusalReason reason,
        String message,
        @Nullable String value,
        @Nullable Duration retryAfter) {
    /** The time after which a client may try again if the server has no better estimate. */
    public static final Duration SOON = Duration.ofSeconds(1);

    public HttpRefusal(RefusalReason reason, String message) {
        this(reason, message, null, null);
    }

    /** Adds when the client may try again. */
    public HttpRefusal withRetryAfter(Duration wait) {
        return new HttpRefusal(reason, message, value, wait);
    }

    /** Returns the value of {@code Retry-After}: whole seconds, rounded up, at least one. */
    public static String seconds(Duration retryAfter) {
        long whole = retryAfter.toSeconds();
        return Long.toString(Math.max(1, retryAfter.getNano() > 0 ? whole + 1 : whole));
    }
}
