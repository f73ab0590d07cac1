package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.HttpExchange;

import java.net.InetAddress;
import java.util.List;

/** The reverse proxies whose headers about their clients are trusted. */
public final class TrustedProxies {
    private final List<Network> networks;
    private final ForwardedHeaders headers;

    /**
     * @param networks the addresses of trusted proxies
     * @param standard whether the header {@code Forwarded} counts, and not the older ones
     */
    public TrustedProxies(List<Network> networks, boolean standard) {
        this.networks = networks;
        this.headers = standard ? new StandardForwarded() : new CustomForwarded();
    }

    /** The request as the first of these proxies has seen it; itself if it came to none. */
    public HttpExchange seen(HttpExchange exchange) {
        if (networks.isEmpty() || !exchange.remoteAddress().map(this::trusts).orElse(false)) {
            return exchange;
        }
        List<ForwardedRequest> hops = headers.hops(exchange);
        return hops.isEmpty()
                ? exchange
                : new ForwardedExchange(exchange, first(hops), headers.prefix(exchange));
    }

    /** The value of an untrusted sender may be forged, and so may all that precedes it. */
    private ForwardedRequest first(List<ForwardedRequest> hops) {
        for (int i = hops.size() - 1; i > 0; i--) {
            InetAddress from = hops.get(i).from();
            if (from == null || !trusts(from)) {
                return hops.get(i);
            }
        }
        return hops.get(0);
    }

    private boolean trusts(InetAddress address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }
}
