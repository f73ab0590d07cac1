package dev.fairlead.auth.client;

import dev.fairlead.auth.OwnMachine;

import java.net.URI;
import java.util.Locale;

/** What the URLs of authorization have to be like. */
final class Urls {
    private Urls() {}

    /** Scheme, host and port, as an issuer and a resource are named. */
    static String origin(URI url) {
        String port =
                url.getPort() < 0 || url.getPort() == usualPort(url) ? "" : ":" + url.getPort();
        return scheme(url) + "://" + url.getHost().toLowerCase(Locale.ROOT) + port;
    }

    private static String scheme(URI url) {
        return url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    }

    private static int usualPort(URI url) {
        return scheme(url).equals("https") ? 443 : 80;
    }

    /** The path without a slash at its end. */
    static String path(URI url) {
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** A URL of the origin, with the suffix of a well-known place between it and the path. */
    static URI wellKnown(URI url, String suffix, String path) {
        return URI.create(origin(url) + "/.well-known/" + suffix + path);
    }

    /**
     * Whether tokens, codes and people may be sent there: {@code https}, or {@code http} on the own
     * machine (SEC-009, SEC-010).
     */
    static boolean isSafe(URI url) {
        return url.getHost() != null
                && url.getRawUserInfo() == null
                && (scheme(url).equals("https")
                        || (scheme(url).equals("http") && OwnMachine.isNamedBy(url)));
    }

    /**
     * Whether this identifier of a resource stands for the server (ROOM-084): it is the same, or
     * the same origin with a path that the server's begins with.
     */
    static boolean covers(URI resource, URI server) {
        if (resource.getHost() == null
                || resource.getRawFragment() != null
                || !origin(resource).equals(origin(server))) {
            return false;
        }
        String outer = path(resource);
        String inner = path(server);
        boolean isSameQuery =
                resource.getRawQuery() == null
                        || resource.getRawQuery().equals(server.getRawQuery());
        return isSameQuery && (inner.equals(outer) || inner.startsWith(outer + "/"));
    }

    /** The server as a resource (AUTH-037). */
    static String canonical(URI server) {
        String query = server.getRawQuery() == null ? "" : "?" + server.getRawQuery();
        return origin(server) + path(server) + query;
    }
}
