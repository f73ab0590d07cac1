package dev.fairlead.http;

import dev.fairlead.http.client.HttpConnector;

import java.net.URI;

/** Streamable HTTP: the ways in and out. */
public final class Http {
    private Http() {}

    /**
     * A port of this machine, open to programs on it alone unless {@link HttpListener#host} is set;
     * the endpoint is at {@code /mcp}.
     *
     * @param port 0 takes a free one
     * @throws IllegalArgumentException if the port is not between 0 and 65535
     */
    public static HttpListener port(int port) {
        return new HttpListener(port);
    }

    /** An endpoint that is mounted in an HTTP server which is there already. */
    public static HttpEndpoint endpoint() {
        return new HttpEndpoint(HttpOptions.defaults());
    }

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
