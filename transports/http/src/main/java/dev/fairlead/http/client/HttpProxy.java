package dev.fairlead.http.client;

import org.jspecify.annotations.Nullable;

import java.net.ConnectException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/**
 * A proxy that forwards HTTP, and TCP connections by {@code CONNECT}.
 *
 * @param host name or address, without brackets
 * @param authorization value of {@code Proxy-Authorization}; null for none
 * @param source the variable, property or method that named it, for messages
 */
public record HttpProxy(String host, int port, @Nullable String authorization, String source) {
    private static final int USUAL_PORT = 80;

    public HttpProxy {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(source, "source");
    }

    /**
     * Parses {@code http://user:password@host:port}, of which only the host is required.
     *
     * @throws ConnectException if it is something else; the message has no password
     */
    static HttpProxy parse(String text, String source) throws ConnectException {
        URI url = url(text);
        if (url == null || url.getHost() == null || url.getPort() > 65_535 || url.getPort() == 0) {
            throw new ConnectException(
                    "the proxy in " + source + " is not a URL such as http://proxy.example:3128");
        }
        if (!url.getScheme().equalsIgnoreCase("http")) {
            throw new ConnectException(
                    "the proxy in "
                            + source
                            + " must have the scheme http but has "
                            + url.getScheme()
                            + "; set another one, or name the host of the server in NO_PROXY");
        }
        String host = url.getHost();
        return new HttpProxy(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                url.getPort() < 0 ? USUAL_PORT : url.getPort(),
                url.getRawUserInfo() == null ? null : basic(url.getRawUserInfo()),
                source);
    }

    private static @Nullable URI url(String text) {
        try {
            return URI.create(text.contains("://") ? text : "http://" + text);
        } catch (IllegalArgumentException e) { // its message has the whole text
            return null;
        }
    }

    private static String basic(String userInfo) throws ConnectException {
        try {
            String pair = URLDecoder.decode(userInfo.replace("+", "%2B"), StandardCharsets.UTF_8);
            String whole = pair.contains(":") ? pair : pair + ":";
            return "Basic "
                    + Base64.getEncoder().encodeToString(whole.getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) { // its message has a part of the text
            throw new ConnectException("the user information of a proxy is not percent-encoded");
        }
    }

    /** Returns the address of the proxy and the source that named it, without the password. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port + " (" + source + ")";
    }
}
