package dev.fairlead.http.client;

import dev.fairlead.protocol.time.Durations;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;
import java.util.List;

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
        if (failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException) {
            return "the server at "
                    + place
                    + " cannot be reached: "
                    + unreachable(failure, options);
        }
        if (has(failure, SSLException.class)) {
            return "TLS with " + place + " failed: " + tls(failure);
        }
        if (has(failure, ProtocolException.class)) {
            return "the server at " + place + " does not speak HTTP";
        }
        return "the connection to "
                + place
                + " was lost before the response came"
                + (first && isPlain(options) ? "; if the server uses TLS, use https://" : "");
    }

    private static String unreachable(IOException failure, ConnectorOptions options) {
        if (failure instanceof HttpConnectTimeoutException) {
            return "no connection within " + Durations.text(options.connectTimeout);
        }
        if (has(failure, UnresolvedAddressException.class)
                || has(failure, UnknownHostException.class)) {
            return "there is no host " + options.endpoint.getHost();
        }
        for (Throwable cause : causes(failure)) {
            String message = cause.getMessage();
            if (message != null && !message.isBlank() && !message.contains("refused")) {
                return message;
            }
        }
        return "connection refused; nothing listens on port "
                + ConnectorOptions.port(options.endpoint);
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
