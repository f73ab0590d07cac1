package dev.fairlead.http;

import dev.fairlead.http.client.HttpConnector;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;

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
     *     URL; the message does not repeat it, for it may hold secrets
     */
    public static HttpConnector to(String url) {
        URI endpoint;
        try {
            endpoint = new URI(Objects.requireNonNull(url, "url"));
        } catch (URISyntaxException e) { // whose message repeats the text
            throw new IllegalArgumentException(
                    "an MCP endpoint must be an absolute http or https URL, such as"
                            + " http://127.0.0.1:3000/mcp: "
                            + e.getReason()
                            + " at character "
                            + (e.getIndex() + 1));
        }
        return HttpConnector.to(endpoint);
    }

    /**
     * The way to the server whose MCP endpoint is at this address; fails as {@link #to(String)}
     * does.
     */
    public static HttpConnector to(URI url) {
        return HttpConnector.to(url);
    }
}
