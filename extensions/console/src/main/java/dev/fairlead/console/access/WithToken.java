package dev.fairlead.console.access;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import java.io.InputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** The head of a login as the authorization reads it: with the access token in its header. */
final class WithToken implements HttpExchange {
    private final HttpExchange exchange;
    private final String token;

    WithToken(HttpExchange exchange, String token) {
        this.exchange = exchange;
        this.token = token;
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
        return Optional.empty();
    }

    @Override
    public List<String> headers(String name) {
        return name.equalsIgnoreCase("Authorization")
                ? List.of("Bearer " + token)
                : exchange.headers(name);
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
    public InputStream body() {
        return InputStream.nullInputStream();
    }

    @Override
    public void respond(ResponseHead head, byte[] body, Runnable done) {
        throw new IllegalStateException("an authorization answers no request");
    }

    @Override
    public ResponseStream stream(ResponseHead head) {
        throw new IllegalStateException("an authorization answers no request");
    }
}
