package dev.fairlead.http.spi;

import java.util.Objects;

/**
 * A path and its handler, for all methods.
 *
 * @param path compared exactly with {@link HttpExchange#path}, starts with a slash
 */
public record Route(String path, Handler handler) {
    /**
     * The path of the route that answers where no other one has the path of a request. An engine
     * without such a route answers with 404.
     */
    public static final String OTHERS = "/*";

    public Route {
        Objects.requireNonNull(handler, "handler");
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a path must start with / but was " + path);
        }
    }

    /** Answers requests. */
    @FunctionalInterface
    public interface Handler {
        /** Answers the exchange, before it returns or later. May block, and throws nothing. */
        void handle(HttpExchange exchange);
    }
}
