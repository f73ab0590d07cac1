package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.Route;

import java.util.Optional;

/**
 * The path that differs from a served one by a slash at its end. A request there is refused with
 * the path that is served, and not served itself: a reverse proxy may guard one of the two alone.
 */
public final class SlashNeighbour {
    private SlashNeighbour() {}

    /** The neighbour of a path; empty for the root, which has none. */
    public static Optional<String> of(String path) {
        return switch (path) {
            case "/" -> Optional.empty();
            case String with when with.endsWith("/") ->
                    Optional.of(with.substring(0, with.length() - 1));
            default -> Optional.of(path + "/");
        };
    }

    /** The route at the neighbour of this one's path; empty if there is no neighbour. */
    public static Optional<Route> of(Route served, Counters counters) {
        return of(served.path())
                .map(
                        path ->
                                new Route(
                                        path,
                                        exchange ->
                                                new Reply(exchange, counters, () -> true)
                                                        .refuse(
                                                                new HttpRefusalException(
                                                                        RefusalReason.PATH,
                                                                        "Nothing is served at this"
                                                                                + " path; did you"
                                                                                + " mean "
                                                                                + exchange.prefix()
                                                                                + served.path()))));
    }
}
