package dev.fairlead.http.jetty;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A request of Jetty. Its channels are in non-blocking mode, in which an interrupt does not close
 * them. Reads everything needed later from the request at once, since Jetty recycles it.
 */
final class JettyExchange implements HttpExchange {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final String method;
    private final String path;
    private final boolean secure;
    private final @Nullable String query;
    private final HttpFields headers;
    private final @Nullable String authority;
    private final @Nullable InetAddress local;
    private final @Nullable InetAddress remote;

    JettyExchange(Request request, String path, Response response, Callback callback) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.method = request.getMethod();
        this.path = path;
        this.secure = request.getConnectionMetaData().isSecure();
        this.query = request.getHttpURI().getQuery();
        this.headers = request.getHeaders();
        this.authority = isHttp2(request) ? request.getHttpURI().getAuthority() : null;
        this.local = address(request.getConnectionMetaData().getLocalSocketAddress());
        this.remote = address(request.getConnectionMetaData().getRemoteSocketAddress());
    }

    private static @Nullable InetAddress address(SocketAddress address) {
        return address instanceof InetSocketAddress internet ? internet.getAddress() : null;
    }

    static boolean isHttp2(Request request) {
        return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
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
        if (authority != null && name.equalsIgnoreCase("Host")) {
            return hosts(authority);
        }
        return headers.contains(name) ? headers.getValuesList(name) : List.of();
    }

    @Override
    public Collection<String> headerNames() {
        return headers.getFieldNamesCollection();
    }

    /**
     * Returns the hosts that the request names: HTTP/2 has a place of its own for the host, and a
     * header that names another is not hidden.
     */
    private List<String> hosts(String named) {
        return Stream.concat(Stream.of(named), headers.getValuesList("Host").stream())
                .distinct()
                .toList();
    }

    @Override
    public Optional<String> header(String name) {
        if (authority != null && name.equalsIgnoreCase("Host")) {
            return Optional.of(authority);
        }
        return Optional.ofNullable(headers.get(name));
    }

    @Override
    public Optional<InetAddress> localAddress() {
        return Optional.ofNullable(local);
    }

    @Override
    public Optional<InetAddress> remoteAddress() {
        return Optional.ofNullable(remote);
    }

    @Override
    public InputStream body() {
        return Request.asInputStream(request);
    }

    /**
     * Registers the action for HTTP/2; over HTTP/1.1 Jetty reports failed writes alone, which
     * {@link JettyStream} reports too.
     */
    @Override
    public void onLeft(Runnable action) {
        if (isHttp2(request)) {
            request.addFailureListener(failure -> action.run());
        }
    }

    @Override
    public void respond(ResponseHead head, byte[] body, Runnable done) {
        Callback written =
                new Callback.Nested(callback) {
                    @Override
                    public void completed() {
                        done.run();
                    }
                };
        head(head, written);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        JettyStream.beginWrite(request);
        response.write(true, ByteBuffer.wrap(body), written);
    }

    @Override
    public ResponseStream stream(ResponseHead head) {
        head(head, callback);
        return new JettyStream(request, response, callback);
    }

    /** Jetty refuses a head that is none. */
    private void head(ResponseHead head, Callback onFailure) {
        try {
            response.setStatus(head.status());
            head.forEach((name, value) -> response.getHeaders().put(name, value));
        } catch (RuntimeException e) {
            onFailure.failed(e);
            throw e;
        }
    }
}
