package dev.fairlead.http.blocking;

import java.net.URI;
import java.util.Locale;

/**
 * The server of a URL.
 *
 * @param host in lower case, without brackets
 */
public record Origin(boolean isSecure, String host, int port) {
    /** Returns the origin of a URL of the scheme {@code http} or {@code https}. */
    public static Origin of(URI uri) {
        boolean secure = uri.getScheme().equalsIgnoreCase("https");
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        return new Origin(
                secure,
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                uri.getPort() < 0 ? usualPort(secure) : uri.getPort());
    }

    static int usualPort(boolean secure) {
        return secure ? 443 : 80;
    }
}
