package dev.fairlead.http.peer;

import dev.fairlead.http.exchange.DelegatingHttpExchange;
import dev.fairlead.http.spi.AddressLiteral;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A request that another node has forwarded, as its client sent it to that node. */
final class PeerExchange extends DelegatingHttpExchange {
    private final PeerRequest request;
    private final String path;
    private final PeerKeys keys;
    private final String signature;

    /**
     * @param wire the exchange with the other node
     * @param path of the endpoint here
     * @param keys sign the answer
     */
    PeerExchange(HttpExchange wire, PeerRequest request, String path, PeerKeys keys) {
        super(wire);
        this.request = request;
        this.path = path;
        this.keys = keys;
        this.signature = wire.header(PeerEndpoint.SIGNATURE).orElse("");
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

    @Override
    public void respond(ResponseHead head, byte[] body, Runnable done) {
        super.respond(signed(head), body, done);
    }

    @Override
    public ResponseStream stream(ResponseHead head) {
        return super.stream(signed(head));
    }

    /** Adds the proof that a node answers, and answers this request. */
    private ResponseHead signed(ResponseHead head) {
        List<String> fields = new ArrayList<>();
        head.forEach((name, value) -> Collections.addAll(fields, name, value));
        fields.add(PeerEndpoint.SIGNATURE);
        fields.add(keys.signAnswer(signature, head.status()));
        return ResponseHead.of(head.status(), fields);
    }
}
