package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.HttpExchange;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses requests of foreign web pages. A page of another site is recognized by its {@code
 * Origin}; a page whose name was rebound to this machine, by its {@code Host}.
 */
final class Guard {
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> origins = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private final Set<String> hosts = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    Guard(List<String> allowOrigins, List<String> allowHosts) {
        origins.addAll(allowOrigins);
        hosts.addAll(allowHosts);
    }

    /**
     * Checks origin and host of a request.
     *
     * @throws HttpRefusalException if one is not allowed
     */
    void check(HttpExchange exchange) {
        boolean local = exchange.localAddress().map(InetAddress::isLoopbackAddress).orElse(false);
        for (String origin : exchange.headers("Origin")) {
            if (!origins.contains(origin) && !(local && isLocal(origin))) {
                throw refused(RefusalReason.ORIGIN, "This origin is not allowed", origin);
            }
        }
        if (!local && hosts.isEmpty()) {
            return;
        }
        List<String> named = exchange.headers("Host");
        if (named.size() != 1 || !isAllowedHost(named.get(0), local)) {
            throw refused(RefusalReason.HOST, "This host is not allowed", String.join(", ", named));
        }
    }

    private static HttpRefusalException refused(
            RefusalReason reason, String message, String value) {
        return new HttpRefusalException(new HttpRefusal(reason, message, value, null));
    }

    private boolean isAllowedHost(String host, boolean local) {
        String name = withoutPort(host);
        return hosts.contains(host)
                || hosts.contains(name)
                || (local && LOCAL.contains(name.toLowerCase(Locale.ROOT)));
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') && isPort(host, colon + 1)
                ? host.substring(0, colon)
                : host;
    }

    /** Returns whether the rest of a text is one to five digits. */
    private static boolean isPort(String host, int begin) {
        for (int i = begin; i < host.length(); i++) {
            if (host.charAt(i) < '0' || host.charAt(i) > '9') {
                return false;
            }
        }
        int digits = host.length() - begin;
        return digits >= 1 && digits <= 5;
    }

    private static boolean isLocal(String origin) {
        try {
            URI uri = new URI(origin);
            String host = uri.getHost();
            return host != null
                    && LOCAL.contains(host.toLowerCase(Locale.ROOT))
                    && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && "".equals(uri.getRawPath())
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && !uri.getRawAuthority().endsWith(":");
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
