package dev.fairlead.servlet;

import dev.fairlead.http.spi.AddressLiteral;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A request of a servlet container. Reads everything needed later from the request at once, since
 * containers recycle it.
 */
final class ServletExchange implements HttpExchange {
    /** The attribute of requests that came by TLS, whatever a proxy reports of its own client. */
    private static final String CIPHER_SUITE = "jakarta.servlet.request.cipher_suite";

    private final HttpServletRequest request;
    private final ServletStream answer;
    private final Place place;
    private final UnaryOperator<Runnable> context;
    private final String method;
    private final boolean secure;
    private final @Nullable String query;
    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final String local;
    private final String remote;

    ServletExchange(
            HttpServletRequest request,
            ServletStream answer,
            Place place,
            UnaryOperator<Runnable> context) {
        this.request = request;
        this.answer = answer;
        this.place = place;
        this.context = context;
        this.method = request.getMethod();
        this.secure = request.isSecure();
        this.query = request.getQueryString();
        this.local = request.getLocalAddr();
        this.remote = request.getRemoteAddr();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name, Collections.list(request.getHeaders(name)));
        }
    }

    @Override
    public Runnable inContext(Runnable task) {
        return context.apply(task);
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return place.route().path();
    }

    @Override
    public String prefix() {
        return place.prefix();
    }

    @Override
    public String scheme() {
        return secure ? "https" : "http";
    }

    @Override
    public Optional<String> query() {
        return Optional.ofNullable(query);
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public Collection<String> headerNames() {
        return headers.keySet();
    }

    @Override
    public Optional<InetAddress> localAddress() {
        return address(local);
    }

    @Override
    public Optional<InetAddress> remoteAddress() {
        return address(remote);
    }

    @Override
    public Optional<URI> localBase() {
        return localAddress().flatMap(this::localBase);
    }

    private Optional<URI> localBase(InetAddress address) {
        String host = address.getHostAddress().replaceFirst("%.*", ""); // the zone of the address
        String origin =
                (request.getAttribute(CIPHER_SUITE) == null ? "http://" : "https://")
                        + (host.contains(":") ? "[" + host + "]" : host)
                        + ":"
                        + request.getLocalPort();
        try {
            return Optional.of(new URI(origin + prefix()));
        } catch (URISyntaxException e) { // of a mapping with unusual characters
            return Optional.empty();
        }
    }

    /**
     * Parses the address that a container gives as a literal; a filter may give text of a client.
     */
    private static Optional<InetAddress> address(@Nullable String literal) {
        return Optional.ofNullable(literal).flatMap(AddressLiteral::parse);
    }

    @Override
    public InputStream body() {
        try {
            return request.getInputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void onLeft(Runnable action) {
        answer.onLeft(action);
    }

    @Override
    public void respond(ResponseHead head, byte[] body, Runnable done) {
        try {
            answer.begin(head, body.length);
        } catch (RuntimeException | Error e) {
            done.run();
            throw e;
        }
        answer.write(
                ByteBuffer.wrap(body),
                failure -> {
                    done.run();
                    if (failure == null) {
                        answer.end();
                    } else {
                        answer.abort();
                    }
                });
    }

    @Override
    public ResponseStream stream(ResponseHead head) {
        answer.begin(head, ServletStream.UNKNOWN);
        return answer;
    }
}
