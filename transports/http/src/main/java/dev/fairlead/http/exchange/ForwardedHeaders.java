package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.HttpExchange;

import java.util.List;

/** The headers by which reverse proxies describe forwarded requests; only one kind is read. */
interface ForwardedHeaders {
    /**
     * Returns the values of the headers for each hop, the nearest proxy's last; empty if they are
     * absent.
     */
    List<ForwardedRequest> hops(HttpExchange exchange);

    /**
     * The prefix that the proxy has removed from the path; the standard has no parameter for it.
     */
    default String prefix(HttpExchange exchange) {
        return "";
    }
}
