package dev.fairlead.http.blocking;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/** Makes connections: to a server or to a proxy, by each of its addresses, and with TLS. */
final class Connector {
    private final Routes routes;
    private final Executor threads;
    private volatile @Nullable InetAddress preferred; // since it was the last that answered

    /**
     * @param threads looks names up, since a lookup cannot be ended
     */
    Connector(Routes routes, Executor threads) {
        this.routes = routes;
        this.threads = threads;
    }

    SocketConnection connect(BlockingExchange exchange, URI uri) throws IOException {
        Origin origin = Origin.of(uri);
        Via proxy = routes.proxy(uri);
        String host = proxy == null ? origin.host() : proxy.host();
        int port = proxy == null ? origin.port() : proxy.port();
        IOException failure = new ConnectException(host + " has no address");
        for (InetAddress address : addresses(exchange, host)) {
            SocketConnection connection = new SocketConnection(origin, proxy);
            exchange.hold(connection);
            routes.connecting(address);
            try {
                connection.connect(
                        routes.localAddress(),
                        new InetSocketAddress(address, port),
                        routes.timeout());
                preferred = address;
            } catch (IOException e) {
                exchange.hold(connection); // fails if it was aborted
                connection.close();
                failure = unconnected(e);
                continue;
            }
            prepare(connection, proxy);
            return connection;
        }
        throw failure;
    }

    private List<InetAddress> addresses(BlockingExchange exchange, String host) throws IOException {
        FutureTask<List<InetAddress>> lookup = new FutureTask<>(() -> routes.addresses(host));
        List<InetAddress> all;
        try {
            threads.execute(lookup);
            all = new ArrayList<>(exchange.await(lookup));
        } catch (RejectedExecutionException e) {
            throw new IOException("closed", e);
        } catch (UnknownHostException e) {
            throw (ConnectException) new ConnectException(e.getMessage()).initCause(e);
        }
        InetAddress first = preferred;
        if (first != null && all.remove(first)) {
            all.add(0, first);
        }
        return all;
    }

    private static IOException unconnected(IOException e) {
        if (e instanceof ConnectException) {
            return e;
        }
        IOException failure =
                e instanceof SocketTimeoutException
                        ? new HttpConnectTimeoutException("no connection in time")
                        : new ConnectException(e.getMessage());
        failure.initCause(e);
        return failure;
    }

    private void prepare(SocketConnection connection, @Nullable Via proxy) throws IOException {
        if (!connection.origin().isSecure()) {
            return;
        }
        try {
            connection.readTimeout(routes.timeout());
            if (proxy != null) {
                tunnel(connection, proxy);
            }
            connection.secure(routes.tls());
            connection.readTimeout(Duration.ZERO);
        } catch (SocketTimeoutException e) {
            throw unconnected(e);
        }
    }

    private static void tunnel(SocketConnection connection, Via proxy) throws IOException {
        Origin origin = connection.origin();
        String host = origin.host().contains(":") ? "[" + origin.host() + "]" : origin.host();
        String place = host + ":" + origin.port();
        String authorization =
                proxy.authorization() == null
                        ? ""
                        : "Proxy-Authorization: " + proxy.authorization() + "\r\n";
        String head =
                "CONNECT "
                        + place
                        + " HTTP/1.1\r\nHost: "
                        + place
                        + "\r\n"
                        + authorization
                        + "\r\n";
        connection.write(head.getBytes(StandardCharsets.ISO_8859_1), null);
        ResponseHead answer = ResponseHead.read(connection);
        if (answer.status() / 100 != 2) {
            throw new TunnelRefusedException(answer.status());
        }
        if (connection.hasMore()) {
            throw new ProtocolException("the proxy sends bytes of its own into a tunnel");
        }
    }
}
