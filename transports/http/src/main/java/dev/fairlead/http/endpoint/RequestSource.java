package dev.fairlead.http.endpoint;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Owner;

import org.jspecify.annotations.Nullable;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The source of a request, by which rates and shares are counted.
 *
 * @param caller the caller that the authorization names; for an anonymous one its address, of IPv6
 *     the first 64 bits
 * @param session the session that the request belongs to; null where there is none, or it is
 *     unknown yet
 * @param isLoopback whether an anonymous caller is on the loopback interface, where many can be
 *     behind its address
 */
public record RequestSource(Object caller, @Nullable Object session, boolean isLoopback) {
    /** How many bytes of an IPv6 address count: a client usually has all that begin alike. */
    private static final int IPV6_PREFIX = 8;

    /** A request outside of any session. */
    public static RequestSource of(HttpExchange exchange, Caller caller) {
        return new RequestSource(
                caller.isAnonymous()
                        ? address(exchange)
                        : List.of(caller.issuer(), caller.subject()),
                null,
                caller.isAnonymous() && isLoopback(exchange));
    }

    /** The same in a session. */
    public RequestSource in(String session) {
        return new RequestSource(caller, session, isLoopback);
    }

    /**
     * The owner of the tasks that an anonymous caller creates without a session, the same on every
     * node.
     */
    public Owner owner() {
        String peer =
                switch (caller) {
                    case InetAddress address -> address.getHostAddress();
                    case ByteBuffer prefix -> HexFormat.of().formatHex(prefix.array());
                    default -> caller.toString();
                };
        return isLoopback ? Owner.Anonymous.ofLoopback(peer) : Owner.Anonymous.ofPeer(peer);
    }

    /** Both ends: a proxy that reports the one leaves the other unknown. */
    static boolean isLoopback(HttpExchange exchange) {
        return isLoopback(exchange.remoteAddress()) && isLoopback(exchange.localAddress());
    }

    private static boolean isLoopback(Optional<InetAddress> address) {
        return address.map(InetAddress::isLoopbackAddress).orElse(false);
    }

    /** The address of a request; all that are unknown count as one. */
    static Object address(HttpExchange exchange) {
        Optional<InetAddress> address = exchange.remoteAddress();
        return address.<Object>map(
                        from ->
                                from instanceof Inet6Address
                                        ? ByteBuffer.wrap(
                                                Arrays.copyOf(from.getAddress(), IPV6_PREFIX))
                                        : from)
                .orElse("unknown");
    }
}
