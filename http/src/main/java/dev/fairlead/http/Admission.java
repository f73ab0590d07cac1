package dev.fairlead.http;

import dev.fairlead.http.HttpAuthorization.Decision.Admitted;
import dev.fairlead.http.HttpAuthorization.Decision.Refused;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Caller;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * The one place that says who calls (SEC-001): an authorization where there is one; without it
 * nobody is known.
 */
final class Admission {
    private static final System.Logger LOGGER = System.getLogger(Admission.class.getName());

    private final @Nullable HttpAuthorization authorization;
    private final Rates rates;
    private final Counters counters;

    Admission(@Nullable HttpAuthorization authorization, Rates rates, Counters counters) {
        this.authorization = authorization;
        this.rates = rates;
        this.counters = counters;
    }

    /**
     * Who calls; empty if the request was refused.
     *
     * @throws TooManyException if this address was refused too often, or this caller comes too
     *     often
     */
    Optional<Caller> admit(HttpExchange exchange, Reply reply) {
        Optional<Caller> caller =
                authorization == null
                        ? Optional.of(Caller.anonymous())
                        : authorized(authorization, exchange, reply);
        caller.ifPresent(known -> rates.request(exchange, known));
        return caller;
    }

    private Optional<Caller> authorized(
            HttpAuthorization asked, HttpExchange exchange, Reply reply) {
        rates.mayBeRefused(exchange);
        return switch (decision(asked, exchange)) {
            case Admitted(Caller caller) -> {
                reply.challenging((scopes, message) -> asked.challenge(caller, scopes, message));
                yield Optional.of(caller);
            }
            case Refused refused -> {
                if (refused.status() < 500) {
                    rates.refused(exchange);
                }
                refused.headers().forEach(reply::header);
                reply.refuse(refused.status(), refused.message());
                yield Optional.empty();
            }
        };
    }

    private static HttpAuthorization.Decision decision(
            HttpAuthorization asked, HttpExchange exchange) {
        try {
            return asked.decide(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException(OpenExchanges.CLOSED);
        }
    }

    /** What the authorization serves itself, for everybody. */
    List<Route> routes() {
        return authorization == null
                ? List.of()
                : authorization.routes().stream().map(this::limited).toList();
    }

    private Route limited(Route route) {
        return new Route(route.path(), exchange -> serve(route, exchange));
    }

    private void serve(Route route, HttpExchange exchange) {
        try {
            rates.request(exchange, Caller.anonymous());
        } catch (TooManyException e) {
            new Reply(exchange, counters, false).tooMany(e);
            return;
        }
        try {
            route.handler().handle(exchange);
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.ERROR, "A request to the authorization failed", e);
            new Reply(exchange, counters, false).failed();
        }
    }
}
