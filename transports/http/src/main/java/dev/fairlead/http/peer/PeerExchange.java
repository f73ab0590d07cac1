package dev.fairlead.http.peer;

import dev.fairlead.http.exchange.DelegatingHttpExchange;
import dev.fairlead.http.spi.AddressLiteral;
import dev.fairlead.http.spi.HttpExchange;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A request that another node has forwarded, as its client sent it to that node. */
final class PeerExchange extends DelegatingHttpExchange {
    private final PeerRequest request;
    private final String path;

    /**
     * @param wire the exchange with the other node
     * @param path of the endpoint here
     */
    PeerExchange(HttpExchange wire, PeerRequest request, String path) {
        super(wire);
        this.request = request;
        this.path = path;
    }

    @Override
    public String method() {
        return request.text("method").orElse("");
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String scheme() {
        return request.text("scheme").orElse("http");
    }

    @Override
    public Optional<String> query() {
        return request.text("query");
    }

    @Override
    public List<String> headers(String name) {
        return name.equalsIgnoreCase("Host")
                ? request.text("host").stream().toList()
                : request.headers(name);
    }

    @Override
    public Collection<String> headerNames() {
        return request.headerNames();
    }

    @Override
    public Optional<InetAddress> localAddress() {
        return request.text("local").flatMap(AddressLiteral::parse);
    }

    @Override
    public Optional<InetAddress> remoteAddress() {
        return request.text("source").flatMap(AddressLiteral::parse);
    }

    @Override
    public long contentLength() {
        return request.body().length;
    }

    @Override
    public byte[] arrivedBody() {
        return request.body();
    }

    @Override
    public InputStream body() {
        return new ByteArrayInputStream(request.body());
    }

    @Override
    public InputStream body(long limit) {
        return body();
    }
}
