package dev.fairlead.http;

import dev.fairlead.http.spi.HttpExchange;

import java.io.InputStream;

/** A request whose body has to come fast enough. */
final class PacedExchange extends DelegatingHttpExchange {
    private final PacedBody body;

    PacedExchange(HttpExchange exchange, PacedBody body) {
        super(exchange);
        this.body = body;
    }

    @Override
    public InputStream body() {
        return body;
    }
}
