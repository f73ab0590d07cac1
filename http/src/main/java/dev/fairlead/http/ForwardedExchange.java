package dev.fairlead.http;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import java.io.InputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** A request that came through a reverse proxy, as its client sent it. */
final class ForwardedExchange implements HttpExchange {
    private final HttpExchange exchange;
    private final Hop hop;
    private final String removed;

    /**
     * @param removed what the proxy has removed from the path
     */
    ForwardedExchange(HttpExchange exchange, Hop hop, String removed) {
        this.exchange = exchange;
        this.hop = hop;
        this.removed = removed;
    }

    @Override
    public String method() {
        return exchange.method();
    }

    @Override
    public String path() {
        return exchange.path();
    }

    /** With what the proxy has taken away, which only it can know. */
    @Override
    public String prefix() {
        return removed + exchange.prefix();
    }

    @Override
    public String scheme() {
        String scheme = hop.scheme();
        return scheme == null ? exchange.scheme() : scheme;
    }

    @Override
    public Optional<String> query() {
        return exchange.query();
    }

    @Override
    public List<String> headers(String name) {
        String host = hop.host();
        return host != null && name.equalsIgnoreCase("Host")
                ? List.of(host)
                : exchange.headers(name);
    }

    /** Where the client has connected is the proxy's affair. */
    @Override
    public Optional<InetAddress> localAddress() {
        return Optional.empty();
    }

    @Override
    public Optional<InetAddress> remoteAddress() {
        return Optional.ofNullable(hop.from()).or(exchange::remoteAddress);
    }

    @Override
    public InputStream body() {
        return exchange.body();
    }

    @Override
    public void respond(ResponseHead head, byte[] body) {
        exchange.respond(head, body);
    }

    @Override
    public ResponseStream stream(ResponseHead head) {
        return exchange.stream(head);
    }
}
