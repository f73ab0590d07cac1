package dev.fairlead.http.endpoint;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.Caller;

import org.jspecify.annotations.Nullable;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Where a request comes from, as rates and shares count it.
 *
 * @param caller the caller that the authorization names; for an anonymous one its address, of IPv6
 *     the first 64 bits
 * @param session the session that the request belongs to; null where there is none, or it is
 *     unknown yet
 */
public record Source(Object caller, @Nullable Object session) {
    /** How many bytes of an IPv6 address count: a client usually has all that begin alike. */
    private static final int IPV6_PREFIX = 8;

    /** A request outside of any session. */
    public static Source of(HttpExchange exchange, Caller caller) {
        return new Source(
                caller.isAnonymous()
                        ? address(exchange)
                        : List.of(caller.issuer(), caller.subject()),
                null);
    }

    /** The same in a session. */
    public Source in(String session) {
        return new Source(caller, session);
    }

    /** The caller as text, the same in every process; differs where callers differ. */
    public String callerText() {
        return switch (caller) {
            case InetAddress address -> address.getHostAddress();
            case ByteBuffer prefix -> HexFormat.of().formatHex(prefix.array());
            default -> caller.toString();
        };
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
