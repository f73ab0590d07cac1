package dev.fairlead.http.client;

import org.jspecify.annotations.Nullable;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

import javax.net.ssl.SSLContext;

/**
 * The routes to the server of one connection: through a proxy, or to its host, by every address
 * that the name of the host has. Safe for use by several threads.
 *
 * <p>The HTTP client of the JDK connects to the first address alone. To another address it connects
 * as to a proxy: the request then has the whole URL in its first line, which every server has to
 * accept (RFC 9112, 3.2.2), and the {@code Host} of the URL. With TLS that is not possible.
 *
 * <p>A client of the JDK whose thread was ended by an {@link OutOfMemoryError} connects no more: it
 * is replaced, unless it is the application's.
 */
final class ConnectRoutes {
    /** The addresses of a name that are tried. */
    static final int MAX_ADDRESSES = 8;

    private final ConnectorOptions options;
    private final Executor threads;
    private final Map<InetAddress, HttpClient> others = new LinkedHashMap<>(); // guarded by this
    private volatile @Nullable ConnectRoute first;
    private volatile @Nullable ConnectRoute preferred;
    private volatile boolean closed;

    /**
     * @param address null for the one that the client takes by itself
     */
    private record ConnectRoute(
            HttpClient client, @Nullable InetAddress address, @Nullable HttpProxy proxy) {}

    ConnectRoutes(ConnectorOptions options, Executor threads) {
        this.options = options;
        this.threads = threads;
    }

    /** Returns whether a connection was made, which may be kept since. */
    boolean haveSucceeded() {
        return preferred != null || options.httpClient != null;
    }

    /**
     * Starts an attempt with the route that succeeded before.
     *
     * @throws ConnectException if the proxy cannot be used
     */
    Attempt attempt(URI uri) throws ConnectException {
        ConnectRoute known = preferred;
        return new Attempt(uri, known == null || isDead(known.client) ? first(uri) : known);
    }

    private boolean isDead(HttpClient client) {
        return !closed && options.httpClient == null && client.isTerminated();
    }

    private ConnectRoute first(URI uri) throws ConnectException {
        ConnectRoute known = first;
        if (known == null || isDead(known.client)) {
            HttpClient given = options.httpClient;
            Optional<HttpProxy> proxy =
                    given == null ? options.proxies.find(uri) : Optional.empty();
            known = first(given, proxy.orElse(null));
        }
        return known;
    }

    private synchronized ConnectRoute first(@Nullable HttpClient given, @Nullable HttpProxy proxy) {
        ConnectRoute known = first;
        if (known == null || isDead(known.client)) {
            InetSocketAddress place =
                    proxy == null
                            ? null
                            : InetSocketAddress.createUnresolved(proxy.host(), proxy.port());
            HttpClient client = given == null ? client(place) : given;
            known = new ConnectRoute(client, null, proxy);
            first = known;
        }
        return known;
    }

    /**
     * Creates a client of HTTP/1.1, since over one connection of HTTP/2 the server bounds the open
     * streams.
     */
    private HttpClient client(@Nullable InetSocketAddress proxy) {
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(options.connectTimeout)
                        .proxy(
                                proxy == null
                                        ? HttpClient.Builder.NO_PROXY
                                        : ProxySelector.of(proxy))
                        .executor(threads);
        SSLContext tls = options.tls;
        return (tls == null ? builder : builder.sslContext(tls)).build();
    }

    private synchronized HttpClient clientAt(InetAddress address, URI uri) {
        if (!others.containsKey(address)) {
            makeRoom();
        }
        return others.compute(
                address,
                (other, known) ->
                        known == null || isDead(known)
                                ? client(new InetSocketAddress(other, ConnectorOptions.port(uri)))
                                : known);
    }

    /**
     * Lets the clients of the oldest other addresses end after their exchanges, but for the one
     * that was good: a name may lead to ever new addresses, and each client has a thread.
     */
    private void makeRoom() {
        ConnectRoute good = preferred;
        Iterator<HttpClient> kept = others.values().iterator();
        while (others.size() >= MAX_ADDRESSES && kept.hasNext()) {
            HttpClient client = kept.next();
            if (good == null || client != good.client) {
                kept.remove();
                client.shutdown();
            }
        }
    }

    /** Closes the clients that are not the application's. */
    void close(Duration patience) throws InterruptedException {
        closed = true;
        List<HttpClient> own;
        synchronized (this) {
            own = new ArrayList<>(others.values());
        }
        ConnectRoute used = first;
        if (used != null && options.httpClient == null) {
            own.add(used.client);
        }
        own.forEach(HttpClient::shutdownNow);
        for (HttpClient client : own) {
            client.awaitTermination(patience);
        }
    }

    /** One exchange that tries one route after the other; for one thread. */
    final class Attempt {
        private final URI uri;
        private final Set<InetAddress> tried = new HashSet<>();
        private ConnectRoute route;

        Attempt(URI uri, ConnectRoute route) {
            this.uri = uri;
            this.route = route;
        }

        HttpClient client() {
            return route.client;
        }

        /** The request as this route needs it. */
        HttpRequest request(HttpRequest request) {
            String authorization = route.proxy == null ? null : route.proxy.authorization();
            return authorization == null
                    ? request
                    : HttpRequest.newBuilder(request, (name, value) -> true)
                            .setHeader("Proxy-Authorization", authorization)
                            .build();
        }

        /** A connection was made: later exchanges begin with this route. */
        void succeeded() {
            if (preferred != route) {
                preferred = route;
            }
        }

        /** Takes the next address of the host; false if all were tried. */
        boolean next() throws ConnectException {
            if (options.httpClient != null
                    || route.proxy != null
                    || !uri.getScheme().equalsIgnoreCase("http")) {
                return false;
            }
            List<InetAddress> addresses = addresses();
            if (addresses.isEmpty()) {
                return false;
            }
            InetAddress usual = addresses.get(0);
            tried.add(route.address == null ? usual : route.address);
            for (InetAddress address : addresses) {
                if (!tried.contains(address)) {
                    route =
                            address.equals(usual)
                                    ? first(uri)
                                    : new ConnectRoute(clientAt(address, uri), address, null);
                    return true;
                }
            }
            return false;
        }

        private List<InetAddress> addresses() {
            try {
                List<InetAddress> all = options.resolver.addresses(uri.getHost());
                return all.subList(0, Math.min(all.size(), MAX_ADDRESSES));
            } catch (UnknownHostException e) {
                return List.of();
            }
        }
    }
}
