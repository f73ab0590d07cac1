package dev.fairlead.http.endpoint;

import dev.fairlead.http.exchange.DelegatingHttpExchange;
import dev.fairlead.http.exchange.PacedBody;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.options.HttpAuthorization.Decision.Admitted;
import dev.fairlead.http.options.HttpAuthorization.Decision.Refused;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Determines the caller of each request: by the authorization if there is one; without it all
 * callers are anonymous.
 */
public final class Admission {
    private static final System.Logger LOGGER = System.getLogger(Admission.class.getName());

    private final @Nullable HttpAuthorization authorization;
    private final Rates rates;
    private final Counters counters;
    private final Duration patience;
    private final LongSupplier nanos;

    Admission(Settings settings, Rates rates, Counters counters, LongSupplier nanos) {
        this.authorization = settings.authorization;
        this.rates = rates;
        this.counters = counters;
        this.patience = settings.clientTimeout;
        this.nanos = nanos;
    }

    /**
     * Returns the caller; empty if the request was refused.
     *
     * @throws HttpRefusalException if this address was refused too often, or this caller comes too
     *     often
     */
    Optional<Caller> admit(HttpExchange exchange, Reply reply) {
        Optional<Caller> caller =
                authorization == null
                        ? Optional.of(Caller.anonymous())
                        : authorized(authorization, exchange, reply);
        caller.ifPresent(known -> rates.request(reply.source(known)));
        return caller;
    }

    private Optional<Caller> authorized(
            HttpAuthorization asked, HttpExchange exchange, Reply reply) {
        rates.mayBeRefused(exchange);
        return switch (decision(asked, exchange)) {
            case Admitted(Caller caller, Map<String, String> headers) -> {
                headers.forEach(reply::header);
                reply.challenging(
                        caller, (scopes, message) -> asked.challenge(caller, scopes, message));
                yield Optional.of(caller);
            }
            case Refused refused -> {
                rates.refused(exchange); // with 503 too: the attempt to decide took its time
                refused.headers().forEach(reply::header);
                if (hasBody(exchange)) { // which is not read
                    reply.header("Connection", "close");
                }
                reply.refuse(
                        new HttpRefusal(
                                reason(refused.status()),
                                refused.message(),
                                null,
                                retryAfter(refused).orElse(null)),
                        refused.status());
                yield Optional.empty();
            }
        };
    }

    /** The time in {@code Retry-After}; empty unless the header has a number of seconds. */
    private static Optional<Duration> retryAfter(Refused refused) {
        return Optional.ofNullable(refused.headers().get("Retry-After"))
                .filter(value -> value.matches("[0-9]{1,9}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
    }

    private static RefusalReason reason(int status) {
        if (status >= 500) {
            return RefusalReason.AUTHORIZATION_UNAVAILABLE;
        }
        return status == 401 ? RefusalReason.UNAUTHORIZED : RefusalReason.FORBIDDEN;
    }

    private static boolean hasBody(HttpExchange exchange) {
        return exchange.header("Transfer-Encoding").isPresent() || exchange.contentLength() > 0;
    }

    private static HttpAuthorization.Decision decision(
            HttpAuthorization asked, HttpExchange exchange) {
        try {
            return asked.decide(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HttpRefusalException(OpenExchanges.CLOSED);
        }
    }

    /** Returns the routes of the authorization, which are open to all. */
    public List<Route> routes() {
        return authorization == null
                ? List.of()
                : authorization.routes().stream().map(this::limited).toList();
    }

    private Route limited(Route route) {
        return new Route(route.path(), exchange -> serve(route, exchange));
    }

    private void serve(Route route, HttpExchange exchange) {
        try {
            rates.request(RequestSource.of(exchange, Caller.anonymous()));
        } catch (HttpRefusalException e) {
            new Reply(exchange, counters, () -> false).refuse(e);
            return;
        }
        try {
            InputStream body = new PacedBody(exchange.body(), patience::toNanos, nanos);
            route.handler()
                    .handle(
                            new DelegatingHttpExchange(exchange) {
                                @Override
                                public InputStream body() {
                                    return body;
                                }
                            });
        } catch (RuntimeException e) {
            LimitedLog.failed(
                    LOGGER,
                    System.Logger.Level.ERROR,
                    "",
                    e,
                    "A request to the authorization failed");
            new Reply(exchange, counters, () -> false).failed();
        }
    }
}
