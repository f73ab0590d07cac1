package dev.fairlead.http;

import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.protocol.Endpoint;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Timers;

import java.util.List;

/** An MCP endpoint without a port of its own; an adapter brings it its requests. Immutable. */
public final class HttpEndpoint extends HttpOptions<HttpEndpoint> implements Endpoint<HttpMount> {
    HttpEndpoint(Settings settings) {
        super(settings);
    }

    @Override
    HttpEndpoint with(Settings changed) {
        return new HttpEndpoint(changed);
    }

    /**
     * Returns the paths that an adapter is mapped to; the path of MCP is the first.
     *
     * @throws IllegalArgumentException if one of HTTP+SSE is that of MCP
     */
    public List<String> paths() {
        return settings.paths();
    }

    /** Makes the server ready for requests, which the adapter takes to {@link HttpMount#routes}. */
    @Override
    public HttpMount serve(SessionHost host) {
        return new HttpMount(settings, host, Timers.system("mcp-http-timer"));
    }
}
