package dev.fairlead.http.client;

import dev.fairlead.protocol.options.CopyOnChange;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import javax.net.ssl.SSLContext;

/** The options of an {@link HttpConnector}. */
final class ConnectorOptions extends CopyOnChange<ConnectorOptions> {
    final URI endpoint;
    Map<String, String> headers = Map.of();
    Supplier<Map<String, String>> requestHeaders = Map::of;
    Duration connectTimeout = Duration.ofSeconds(10);
    @Nullable SSLContext tls;
    @Nullable HttpClient httpClient;
    Proxies proxies = Proxies.system();
    int maxMessageSize = 64 * 1024 * 1024;
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
