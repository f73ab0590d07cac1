package dev.fairlead.http.client;

import dev.fairlead.protocol.Printable;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * Redirects of a server. One alone is followed: with status 307 or 308 to the URL that differs by a
 * slash at the end of its path, as web frameworks answer for {@code /mcp} and {@code /mcp/}.
 * Method, body and headers stay, and the request goes to the same origin and to no other
 * application of it. Every other redirect fails the request with the place that it names: a server
 * must not redirect a token, or data that a person has confided to it.
 */
final class Redirect {
    private static final int MAX_LENGTH = 2_000;

    private Redirect() {}

    /** Returns the URL to which the request with this answer is sent again; empty if it is not. */
    static Optional<URI> followed(Answer answer, URI asked) {
        return answer.status() == 307 || answer.status() == 308
                ? location(answer, asked).filter(to -> isNeighbour(asked, to))
                : Optional.empty();
    }

    private static boolean isNeighbour(URI asked, URI to) {
        String from = String.valueOf(asked.getRawPath());
        String path = String.valueOf(to.getRawPath());
        return (path.equals(from + "/") || from.equals(path + "/"))
                && origin(asked).equals(origin(to))
                && String.valueOf(asked.getRawQuery()).equals(String.valueOf(to.getRawQuery()))
                && to.getRawFragment() == null
                && to.getRawUserInfo() == null;
    }

    private static String origin(URI uri) {
        return (uri.getScheme() + "://" + uri.getHost()).toLowerCase(Locale.ROOT)
                + ":"
                + ConnectorOptions.port(uri);
    }

    private static Optional<URI> location(Answer answer, URI asked) {
        try {
            return answer.header("Location")
                    .filter(text -> !text.isBlank() && text.length() <= MAX_LENGTH)
                    .map(asked::resolve)
                    .filter(to -> to.getHost() != null && to.getScheme() != null);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The place that an answer names, without its query, for messages; empty if it is no URL. */
    static Optional<String> place(Answer answer, URI asked) {
        return location(answer, asked)
                .map(
                        to ->
                                Printable.excerpt(
                                        to.getScheme()
                                                + "://"
                                                + to.getHost()
                                                + (to.getPort() < 0 ? "" : ":" + to.getPort())
                                                + to.getRawPath()));
    }
}
