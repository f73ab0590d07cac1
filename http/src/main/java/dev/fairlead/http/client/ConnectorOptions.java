package dev.fairlead.http.client;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;

/** The options of an {@link HttpConnector}. */
record ConnectorOptions(
        URI endpoint,
        Map<String, String> headers,
        Supplier<Map<String, String>> requestHeaders,
        Duration connectTimeout,
        @Nullable SSLContext tls,
        @Nullable HttpClient httpClient,
        int maxMessageSize,
        Reconnection reconnection,
        boolean listening,
        boolean legacySse,
        @Nullable ClientAuthorization authorization,
        Waits waits) {

    ConnectorOptions(URI endpoint) {
        this(
                endpoint,
                Map.of(),
                Map::of,
                Duration.ofSeconds(10),
                null,
                null,
                64 * 1024 * 1024,
                Reconnection.DEFAULT,
                true,
                false,
                null,
                Waits.DEFAULT);
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

    /** A copy that may be changed. */
    static final class Draft {
        private final URI endpoint;
        Map<String, String> headers;
        Supplier<Map<String, String>> requestHeaders;
        Duration connectTimeout;
        @Nullable SSLContext tls;
        @Nullable HttpClient httpClient;
        int maxMessageSize;
        Reconnection reconnection;
        boolean listening;
        boolean legacySse;
        @Nullable ClientAuthorization authorization;
        Waits waits;

        Draft(ConnectorOptions options) {
            endpoint = options.endpoint;
            headers = options.headers;
            requestHeaders = options.requestHeaders;
            connectTimeout = options.connectTimeout;
            tls = options.tls;
            httpClient = options.httpClient;
            maxMessageSize = options.maxMessageSize;
            reconnection = options.reconnection;
            listening = options.listening;
            legacySse = options.legacySse;
            authorization = options.authorization;
            waits = options.waits;
        }

        ConnectorOptions options() {
            return new ConnectorOptions(
                    endpoint,
                    headers,
                    requestHeaders,
                    connectTimeout,
                    tls,
                    httpClient,
                    maxMessageSize,
                    reconnection,
                    listening,
                    legacySse,
                    authorization,
                    waits);
        }
    }
}
