package dev.fairlead.http.blocking;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A request to send.
 *
 * @param uri absolute, of the scheme {@code http} or {@code https}
 * @param headers all but those that belong to the connection
 * @param body null for none
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes go straight to the socket
public record OutgoingRequest(
        String method, URI uri, HeaderFields headers, byte @Nullable [] body) {
    private static final String USER_AGENT = "User-Agent";

    /** Returns the same request for another URL. */
    public OutgoingRequest at(URI other) {
        return new OutgoingRequest(method, other, headers, body);
    }

    /** Returns the head as it is sent, to the proxy if there is one. */
    byte[] head(@Nullable Via proxy) {
        StringBuilder head = new StringBuilder(512);
        head.append(method).append(' ');
        if (proxy != null) {
            head.append(uri.getScheme()).append("://").append(host(uri));
        }
        head.append(target(uri)).append(" HTTP/1.1\r\nHost: ").append(host(uri)).append("\r\n");
        if (headers.first(USER_AGENT).isEmpty()) {
            head.append(USER_AGENT + ": Fairlead\r\n");
        }
        if (body != null) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        if (proxy != null && proxy.authorization() != null) {
            head.append("Proxy-Authorization: ").append(proxy.authorization()).append("\r\n");
        }
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String target(URI uri) {
        String path =
                uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    /** Returns the host, and the port unless it is the usual one of the scheme. */
    private static String host(URI uri) {
        Origin origin = Origin.of(uri);
        return uri.getPort() < 0 || origin.port() == Origin.usualPort(origin.isSecure())
                ? uri.getHost()
                : uri.getHost() + ":" + uri.getPort();
    }
}
