package dev.fairlead.auth.client;

import dev.fairlead.auth.Loopback;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/** Rules for the URLs of authorization. */
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
     * Returns whether tokens, codes and people may be sent there: {@code https}, or {@code http} on
     * the own machine.
     */
    static boolean isSafe(URI url) {
        return url.getHost() != null
                && url.getRawUserInfo() == null
                && (scheme(url).equals("https")
                        || (scheme(url).equals("http") && Loopback.isNamedBy(url)));
    }

    /**
     * The identifier of a resource in the form of {@link #canonical}, so that it can be compared;
     * empty if it is not the URL of one: with user information, a fragment, or without a host.
     */
    static Optional<String> canonicalResource(String resource) {
        try {
            URI url = URI.create(resource);
            return url.getHost() == null
                            || url.getRawUserInfo() != null
                            || url.getRawFragment() != null
                    ? Optional.empty()
                    : Optional.of(canonical(url));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns whether two names are those of one issuer: they are equal, or differ by a slash at
     * their end alone. Both have the same well-known places, so the publisher of the metadata of
     * one is that of the other.
     */
    static boolean isIssuer(String issuer, String other) {
        return withoutSlash(issuer).equals(withoutSlash(other));
    }

    /** The other name of an issuer, see {@link #isIssuer}. */
    static String otherName(String issuer) {
        return issuer.endsWith("/") ? withoutSlash(issuer) : issuer + "/";
    }

    private static String withoutSlash(String issuer) {
        return issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    }

    /** The server as a resource. */
    static String canonical(URI server) {
        String query = server.getRawQuery() == null ? "" : "?" + server.getRawQuery();
        return origin(server) + path(server) + query;
    }
}
