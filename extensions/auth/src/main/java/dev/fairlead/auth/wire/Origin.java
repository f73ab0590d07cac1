package dev.fairlead.auth.wire;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.OwnedValues;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The origin by which the share of a request is counted: in the state of the proxy, and in the
 * introspections of a resource server.
 *
 * @param address of the client, behind reverse proxies that are trusted; of IPv6 the first half
 * @param isOfMany whether many clients can have this address: the one of this machine, behind which
 *     a reverse proxy may be, and an unknown one
 */
public record Origin(String address, boolean isOfMany) {
    /** How much of an IPv6 address counts: one client has all that begin so. */
    private static final int IPV6_PREFIX = 8;

    public static Origin of(HttpExchange exchange) {
        Optional<InetAddress> remote = exchange.remoteAddress();
        if (remote.isEmpty()) {
            return new Origin("unknown", true);
        }
        InetAddress address = remote.get();
        boolean isLocal =
                address.isLoopbackAddress()
                        && exchange.localAddress()
                                .map(InetAddress::isLoopbackAddress)
                                .orElse(false);
        return new Origin(
                address instanceof Inet6Address
                        ? HexFormat.of().formatHex(address.getAddress(), 0, IPV6_PREFIX)
                        : address.getHostAddress(),
                isLocal);
    }

    /** Returns how many values of this origin are kept. */
    public int most(OwnedValues.Share share) {
        return isOfMany ? share.inAll() : share.ofOwner();
    }
}
