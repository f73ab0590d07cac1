package dev.fairlead.http.client;

import dev.fairlead.http.blocking.Routes;
import dev.fairlead.http.blocking.Via;
import dev.fairlead.protocol.limits.HeapPlan;
import dev.fairlead.protocol.options.CopyOnChange;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import javax.net.ssl.SSLContext;

/** The options of an {@link HttpConnector}. */
final class ConnectorOptions extends CopyOnChange<ConnectorOptions> implements Routes {
    /** The addresses of a name that are tried. */
    static final int MAX_ADDRESSES = 8;

    private static final Supplier<Map<String, String>> NO_HEADERS = Map::of;

    final URI endpoint;
    Map<String, String> headers = Map.of();
    Supplier<Map<String, String>> requestHeaders = NO_HEADERS;
    Duration connectTimeout = Duration.ofSeconds(10);
    @Nullable InetAddress localAddress;
    @Nullable SSLContext tls;
    Proxies proxies = Proxies.system();
    int maxMessageSize = HeapPlan.message();
    Reconnection reconnection = Reconnection.DEFAULT;
    boolean listening = true;
    boolean legacySse;
    @Nullable ClientAuthorization authorization;
    GracePeriods gracePeriods = GracePeriods.DEFAULT;

    /** Returns how long to wait where so long a wait is due; tests change and record waits. */
    UnaryOperator<Duration> pauses = UnaryOperator.identity();

    /** Finds the addresses of hosts; tests give names addresses of their own. */
    Resolver resolver = host -> List.of(InetAddress.getAllByName(host));

    /** Finds all addresses of a host. May block. */
    interface Resolver {
        List<InetAddress> addresses(String host) throws UnknownHostException;
    }

    ConnectorOptions(URI endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public Duration timeout() {
        return connectTimeout;
    }

    /** Returns whether code of users, or a login, can keep a request waiting. */
    boolean mayWait() {
        return authorization != null || requestHeaders != NO_HEADERS;
    }

    @Override
    public @Nullable InetAddress localAddress() {
        return localAddress;
    }

    @Override
    public @Nullable Via proxy(URI uri) throws ConnectException {
        return proxies.find(uri)
                .map(proxy -> new Via(proxy.host(), proxy.port(), proxy.authorization()))
                .orElse(null);
    }

    @Override
    public List<InetAddress> addresses(String host) throws UnknownHostException {
        List<InetAddress> all = resolver.addresses(host);
        return all.subList(0, Math.min(all.size(), MAX_ADDRESSES));
    }

    @Override
    public SSLContext tls() throws IOException {
        return tls == null ? Routes.super.tls() : tls;
    }

    /** The endpoint for logs and messages: without its query, which may hold a secret. */
    String place() {
        return endpoint.getScheme() + "://" + endpoint.getRawAuthority() + endpoint.getRawPath();
    }

    /** The port of a URL, which may be the usual one of its scheme. */
    static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }
}
