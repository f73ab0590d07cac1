package dev.fairlead.http;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import java.io.InputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** A request whose body has to come fast enough. */
final class PacedExchange implements HttpExchange {
    private final HttpExchange exchange;
    private final PacedBody body;

    PacedExchange(HttpExchange exchange, PacedBody body) {
        this.exchange = exchange;
        this.body = body;
    }

    @Override
    public InputStream body() {
        return body;
    }

    @Override
    public String method() {
        return exchange.method();
    }

    @Override
    public String path() {
        return exchange.path();
    }

    @Override
    public String prefix() {
        return exchange.prefix();
    }

    @Override
    public String scheme() {
        return exchange.scheme();
    }

    @Override
    public Optional<String> host() {
        return exchange.host();
    }

    @Override
    public Optional<String> query() {
        return exchange.query();
    }

    @Override
    public List<String> headers(String name) {
        return exchange.headers(name);
    }

    @Override
    public Optional<InetAddress> localAddress() {
        return exchange.localAddress();
    }

    @Override
    public Optional<InetAddress> remoteAddress() {
        return exchange.remoteAddress();
    }

    @Override
    public void respond(ResponseHead head, byte[] answer) {
        exchange.respond(head, answer);
    }

    @Override
    public ResponseStream stream(ResponseHead head) {
        return exchange.stream(head);
    }
}
