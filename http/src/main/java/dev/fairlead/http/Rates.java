package dev.fairlead.http;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.engine.Allowances;

import org.jspecify.annotations.Nullable;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How often requests may come, how often authorization may refuse them, and how often they may name
 * sessions that there are not. A caller that authorization knows is counted as such, all others by
 * their address. Safe for use by several threads.
 */
final class Rates {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** How much of an IPv6 address counts: whoever has one has all that begin so. */
    private static final int IPV6_PREFIX = 8;

    private final @Nullable Allowances requests;
    private final @Nullable Allowances unknownSessions;
    private final @Nullable Allowances refusals;
    private final boolean loopback;
    private final boolean loopbackRefusals;

    Rates(Settings settings, LongSupplier nanos) {
        requests = allowances(settings.requestsPerSecond, settings.requestsAtOnce, nanos);
        unknownSessions =
                allowances(
                        settings.unknownSessionsPerSecond, settings.unknownSessionsAtOnce, nanos);
        refusals = allowances(settings.refusalsPerSecond, settings.refusalsAtOnce, nanos);
        loopback = settings.loopbackRequests;
        loopbackRefusals = settings.loopbackRefusals;
    }

    private static @Nullable Allowances allowances(int perSecond, int atOnce, LongSupplier nanos) {
        return perSecond == Integer.MAX_VALUE
                ? null
                : new Allowances(perSecond, SECOND, atOnce, nanos);
    }

    /**
     * Counts a request.
     *
     * @throws TooManyException if it is one too many
     */
    void request(HttpExchange exchange, Caller caller) {
        if (requests == null) {
            return;
        }
        if (caller.isAnonymous() && !loopback && isLoopback(exchange)) {
            return; // many may be behind it
        }
        Object key =
                caller.isAnonymous()
                        ? key(exchange.remoteAddress())
                        : List.of(caller.issuer(), caller.subject());
        if (!requests.take(key)) {
            throw new TooManyException("Too many requests", requests.delay(key));
        }
    }

    /** Both ends: what a proxy tells of the one leaves the other unknown. */
    private static boolean isLoopback(HttpExchange exchange) {
        return isLoopback(exchange.remoteAddress()) && isLoopback(exchange.localAddress());
    }

    private static boolean isLoopback(Optional<InetAddress> address) {
        return address.map(InetAddress::isLoopbackAddress).orElse(false);
    }

    /**
     * Finds out whether a request may be refused once more, before anything is done to decide that.
     *
     * @throws TooManyException if this address was refused too often
     */
    void mayBeRefused(HttpExchange exchange) {
        if (refusals == null || isSpared(exchange)) {
            return;
        }
        Duration delay = refusals.delay(key(exchange.remoteAddress()));
        if (delay.isPositive()) {
            throw new TooManyException("Too many requests without a valid token", delay);
        }
    }

    /** Counts a request that authorization has refused. */
    void refused(HttpExchange exchange) {
        if (refusals != null && !isSpared(exchange)) {
            refusals.take(key(exchange.remoteAddress()));
        }
    }

    private boolean isSpared(HttpExchange exchange) {
        return !loopbackRefusals && isLoopback(exchange); // many may be behind it
    }

    /**
     * Finds out whether somebody may ask for a session that there may not be.
     *
     * @throws TooManyException if this address has asked for too many
     */
    void mayGuess(HttpExchange exchange) {
        if (unknownSessions == null) {
            return;
        }
        Duration delay = unknownSessions.delay(key(exchange.remoteAddress()));
        if (delay.isPositive()) {
            throw new TooManyException("Too many requests in sessions that there are not", delay);
        }
    }

    /** Counts a session that there is not. */
    void guessed(HttpExchange exchange) {
        if (unknownSessions != null) {
            unknownSessions.take(key(exchange.remoteAddress()));
        }
    }

    private static Object key(Optional<InetAddress> address) {
        return address.<Object>map(
                        from ->
                                from instanceof Inet6Address
                                        ? ByteBuffer.wrap(
                                                Arrays.copyOf(from.getAddress(), IPV6_PREFIX))
                                        : from)
                .orElse("unknown");
    }
}
