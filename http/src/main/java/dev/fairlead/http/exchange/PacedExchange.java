package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.HttpExchange;

import java.io.InputStream;

/** A request whose body has to come fast enough. */
public final class PacedExchange extends DelegatingHttpExchange {
    private final PacedBody body;

    public PacedExchange(HttpExchange exchange, PacedBody body) {
        super(exchange);
        this.body = body;
    }

    @Override
    public InputStream body() {
        return body;
    }
}
