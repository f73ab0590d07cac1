package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.HttpExchange;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** A request that came through a reverse proxy, as its client sent it. */
public final class ForwardedExchange extends DelegatingHttpExchange {
    private final ForwardedRequest hop;
    private final String removed;

    /**
     * @param removed the prefix that the proxy has removed from the path
     */
    public ForwardedExchange(HttpExchange exchange, ForwardedRequest hop, String removed) {
        super(exchange);
        this.hop = hop;
        this.removed = removed;
    }

    /** Includes the prefix that the proxy has removed. */
    @Override
    public String prefix() {
        return removed + super.prefix();
    }

    @Override
    public String scheme() {
        String scheme = hop.scheme();
        return scheme == null ? super.scheme() : scheme;
    }

    @Override
    public List<String> headers(String name) {
        String host = hop.host();
        return host != null && name.equalsIgnoreCase("Host") ? List.of(host) : super.headers(name);
    }

    /** Returns empty: only the proxy knows the address that the client has connected to. */
    @Override
    public Optional<InetAddress> localAddress() {
        return Optional.empty();
    }

    @Override
    public Optional<InetAddress> remoteAddress() {
        return Optional.ofNullable(hop.from()).or(super::remoteAddress);
    }
}
