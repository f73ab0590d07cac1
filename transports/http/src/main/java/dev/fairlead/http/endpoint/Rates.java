package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.engine.KeyedRateLimiter;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How often requests may come, how often authorization may refuse them, and how often they may name
 * unknown sessions. A caller that authorization knows is counted as such, all others by their
 * address. Safe for use by several threads.
 */
public final class Rates {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final @Nullable KeyedRateLimiter requests;
    private final @Nullable KeyedRateLimiter unknownSessions;
    private final @Nullable KeyedRateLimiter refusals;
    private final boolean loopback;
    private final boolean loopbackRefusals;

    public Rates(Settings settings, LongSupplier nanos) {
        requests = allowances(settings.requestsPerSecond, settings.requestsAtOnce, nanos);
        unknownSessions =
                allowances(
                        settings.unknownSessionsPerSecond, settings.unknownSessionsAtOnce, nanos);
        refusals = allowances(settings.refusalsPerSecond, settings.refusalsAtOnce, nanos);
        loopback = settings.loopbackRequests;
        loopbackRefusals = settings.loopbackRefusals;
    }

    private static @Nullable KeyedRateLimiter allowances(
            int perSecond, int atOnce, LongSupplier nanos) {
        return perSecond == Integer.MAX_VALUE
                ? null
                : new KeyedRateLimiter(perSecond, SECOND, atOnce, nanos);
    }

    /**
     * Counts a request.
     *
     * @throws HttpRefusalException if it is one too many
     */
    public void request(RequestSource source) {
        if (requests == null) {
            return;
        }
        if (source.isLoopback() && !loopback) {
            return; // many may be behind it
        }
        Object key = source.caller();
        if (!requests.take(key)) {
            throw tooMany(RefusalReason.REQUEST_RATE, "Too many requests", requests.delay(key));
        }
    }

    /**
     * Finds out whether a request may be refused once more, before anything is done to decide that.
     *
     * @throws HttpRefusalException if this address was refused too often
     */
    void mayBeRefused(HttpExchange exchange) {
        if (refusals == null || isSpared(exchange)) {
            return;
        }
        Duration delay = refusals.delay(RequestSource.address(exchange));
        if (delay.isPositive()) {
            throw tooMany(
                    RefusalReason.REFUSAL_RATE,
                    "Too many requests without a valid token, or whose token could not be checked",
                    delay);
        }
    }

    /** Counts a request that authorization has refused, or could not decide. */
    void refused(HttpExchange exchange) {
        if (refusals != null && !isSpared(exchange)) {
            refusals.take(RequestSource.address(exchange));
        }
    }

    private boolean isSpared(HttpExchange exchange) {
        return !loopbackRefusals && RequestSource.isLoopback(exchange); // many may be behind it
    }

    /** Returns whether a caller has named so many unknown sessions that the next one is refused. */
    public boolean hasGuessedTooOften(RequestSource source) {
        return unknownSessions != null && unknownSessions.delay(source.caller()).isPositive();
    }

    /**
     * Counts a request that named an unknown session.
     *
     * @throws HttpRefusalException if its caller has named too many
     */
    public void guessed(RequestSource source) {
        if (unknownSessions != null && !unknownSessions.take(source.caller())) {
            throw unknownSessions(unknownSessions.delay(source.caller()));
        }
    }

    /** Refuses a request of a caller that has named too many unknown sessions. */
    public static HttpRefusalException unknownSessions(Duration retryAfter) {
        return tooMany(
                RefusalReason.UNKNOWN_SESSION_RATE,
                "Too many requests for unknown sessions",
                retryAfter);
    }

    private static HttpRefusalException tooMany(
            RefusalReason reason, String message, Duration retryAfter) {
        return new HttpRefusalException(
                new HttpRefusal(reason, message).withRetryAfter(retryAfter));
    }
}
