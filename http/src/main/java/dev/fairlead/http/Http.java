package dev.fairlead.http;

import dev.fairlead.http.client.HttpConnector;

import java.net.URI;

/** Streamable HTTP: the ways in and out. */
public final class Http {
    private Http() {}

    /**
     * The way to the server whose MCP endpoint is at this address, such as {@code
     * https://weather.example/mcp}.
     *
     * @throws IllegalArgumentException if the text is not an absolute {@code http} or {@code https}
     *     URL
     */
    public static HttpConnector to(String url) {
        return HttpConnector.to(URI.create(url));
    }

    /**
     * The way to the server whose MCP endpoint is at this address; fails as {@link #to(String)}
     * does.
     */
    public static HttpConnector to(URI url) {
        return HttpConnector.to(url);
    }
}
