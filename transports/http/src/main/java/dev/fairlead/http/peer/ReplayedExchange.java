package dev.fairlead.http.peer;

import dev.fairlead.http.exchange.DelegatingHttpExchange;
import dev.fairlead.http.spi.HttpExchange;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** An exchange whose body was read before. */
final class ReplayedExchange extends DelegatingHttpExchange {
    private final byte[] body;

    ReplayedExchange(HttpExchange exchange, byte[] body) {
        super(exchange);
        this.body = body;
    }

    @Override
    public long contentLength() {
        return body.length;
    }

    @Override
    public byte[] arrivedBody() {
        return body;
    }

    @Override
    public InputStream body() {
        return new ByteArrayInputStream(body);
    }

    @Override
    public InputStream body(long limit) {
        return body();
    }

    /** Does nothing: the forwarder has set its action. */
    @Override
    public void onLeft(Runnable action) {}
}
