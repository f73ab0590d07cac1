package dev.fairlead.console.access;

import dev.fairlead.http.exchange.DelegatingHttpExchange;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * The head of a login as the authorization reads it: with the access token in its header, without a
 * query and without the body, which has been read.
 */
final class WithToken extends DelegatingHttpExchange {
    private final String token;

    WithToken(HttpExchange exchange, String token) {
        super(exchange);
        this.token = token;
    }

    @Override
    public Optional<String> query() {
        return Optional.empty();
    }

    @Override
    public List<String> headers(String name) {
        return name.equalsIgnoreCase("Authorization")
                ? List.of("Bearer " + token)
                : super.headers(name);
    }

    @Override
    public long contentLength() {
        return 0;
    }

    @Override
    public byte @Nullable [] arrivedBody() {
        return null;
    }

    @Override
    public InputStream body() {
        return InputStream.nullInputStream();
    }

    @Override
    public InputStream body(long limit) {
        return body();
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
