package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * An exchange that delegates to another one all methods that a subclass does not override. {@link
 * #host} and {@link #header} follow from {@link #headers}, so that a subclass that changes a header
 * overrides one method.
 */
public abstract class DelegatingHttpExchange implements HttpExchange {
    private final HttpExchange exchange;

    public DelegatingHttpExchange(HttpExchange exchange) {
        this.exchange = exchange;
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
    public Optional<String> query() {
        return exchange.query();
    }

    @Override
    public List<String> headers(String name) {
        return exchange.headers(name);
    }

    @Override
    public Collection<String> headerNames() {
        return exchange.headerNames();
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
    public Optional<URI> localBase() {
        return exchange.localBase();
    }

    @Override
    public long contentLength() {
        return exchange.contentLength();
    }

    @Override
    public byte @Nullable [] arrivedBody() {
        return exchange.arrivedBody();
    }

    @Override
    public InputStream body() {
        return exchange.body();
    }

    @Override
    public InputStream body(long limit) {
        return exchange.body(limit);
    }

    @Override
    public Runnable inContext(Runnable task) {
        return exchange.inContext(task);
    }

    @Override
    public void run(String name, Runnable task) {
        exchange.run(name, task);
    }

    @Override
    public void onLeft(Runnable action) {
        exchange.onLeft(action);
    }

    @Override
    public void respond(ResponseHead head, byte[] body, Runnable done) {
        exchange.respond(head, body, done);
    }

    @Override
    public ResponseStream stream(ResponseHead head) {
        return exchange.stream(head);
    }
}
