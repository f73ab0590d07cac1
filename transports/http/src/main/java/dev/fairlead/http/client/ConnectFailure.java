package dev.fairlead.http.client;

import dev.fairlead.http.blocking.TunnelRefusedException;
import dev.fairlead.protocol.time.Durations;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.SSLException;

/** Explains in words why an exchange with a server failed before there was an answer. */
final class ConnectFailure {
    private ConnectFailure() {}

    /**
     * Explains a failure.
     *
     * @param first whether this is the first request to the server, so that a wrong URL is likely
     */
    static String reason(IOException failure, ConnectorOptions options, boolean first) {
        String place = options.place();
        if (isUnconnected(failure)) {
            return "the server at "
                    + place
                    + " cannot be reached: "
                    + unreachable(failure, options);
        }
        if (isTls(failure)) {
            return "TLS with " + place + " failed: " + tls(failure);
        }
        if (has(failure, ProtocolException.class)) {
            String server = "the server at " + place;
            return proxy(options)
                            .map(proxy -> "the proxy " + proxy + " or " + server)
                            .orElse(server)
                    + " does not speak HTTP";
        }
        if (failure instanceof TunnelRefusedException) {
            return "the proxy "
                    + proxy(options).map(HttpProxy::toString).orElse("")
                    + " does not connect to "
                    + place
                    + ": "
                    + failure.getMessage();
        }
        return "the connection to "
                + place
                + " was lost before the response came"
                + (first && isPlain(options) ? "; if the server uses TLS, use https://" : "");
    }

    /** Returns whether no connection was made, so that nothing was sent. */
    static boolean isUnconnected(IOException failure) {
        return failure instanceof ConnectException
                || failure instanceof HttpConnectTimeoutException;
    }

    /**
     * Returns whether a connection ended before a response came, so that the server may have acted.
     */
    static boolean isLost(IOException failure) {
        return !isUnconnected(failure)
                && !(failure instanceof InterruptedIOException) // stopped by this side
                && !(failure instanceof TunnelRefusedException)
                && !isTls(failure)
                && !has(failure, ProtocolException.class);
    }

    /** Returns whether TLS failed, and not the connection below it. */
    private static boolean isTls(IOException failure) {
        return has(failure, SSLException.class) && !has(failure, SocketException.class);
    }

    private static String unreachable(IOException failure, ConnectorOptions options) {
        Optional<HttpProxy> proxy = proxy(options);
        String host = proxy.map(HttpProxy::host).orElseGet(() -> bare(options.endpoint.getHost()));
        String through = proxy.map(used -> "the proxy " + used + ": ").orElse("");
        if (failure instanceof HttpConnectTimeoutException) {
            return through
                    + "no connection within "
                    + Durations.text(options.connectTimeout)
                    + at(host, options);
        }
        if (has(failure, UnknownHostException.class)) {
            return through + "there is no host " + host;
        }
        for (Throwable cause : causes(failure)) {
            String message = cause.getMessage();
            if (message != null && !message.isBlank() && !message.contains("refused")) {
                return through + message;
            }
        }
        int port =
                proxy.map(HttpProxy::port).orElseGet(() -> ConnectorOptions.port(options.endpoint));
        return through + "connection refused; nothing listens on port " + port + at(host, options);
    }

    /** Lists the addresses that were tried, if a name has several. */
    private static String at(String host, ConnectorOptions options) {
        List<String> addresses = addresses(host, options);
        if (addresses.size() < 2) {
            return "";
        }
        return " of " + String.join(" and ", addresses);
    }

    private static List<String> addresses(String host, ConnectorOptions options) {
        try {
            return options.addresses(host).stream().map(InetAddress::getHostAddress).toList();
        } catch (UnknownHostException e) {
            return List.of();
        }
    }

    private static Optional<HttpProxy> proxy(ConnectorOptions options) {
        try {
            return options.proxies.find(options.endpoint);
        } catch (ConnectException e) { // the failure itself
            return Optional.empty();
        }
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static String tls(IOException failure) {
        String reason = causes(failure).getLast().getMessage();
        if (reason != null && reason.contains("ecognized SSL message")) {
            return "the server does not use TLS; use http://";
        }
        return reason != null && reason.contains("unable to find valid certification path")
                ? "no trusted authority issued its certificate"
                : String.valueOf(reason);
    }

    private static boolean isPlain(ConnectorOptions options) {
        return options.endpoint.getScheme().equalsIgnoreCase("http");
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> type) {
        return causes(failure).stream().anyMatch(type::isInstance);
    }

    /** The failure and its causes, the first ones. */
    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        Throwable next = failure;
        while (next != null && causes.size() < 10) {
            causes.add(next);
            next = next.getCause();
        }
        return causes;
    }
}
