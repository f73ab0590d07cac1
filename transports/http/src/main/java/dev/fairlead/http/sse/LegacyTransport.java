package dev.fairlead.http.sse;

import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.LegacyPaths;
import dev.fairlead.http.endpoint.MountedEndpoint;

import java.io.IOException;
import java.util.Optional;
import java.util.ServiceLoader;

/** HTTP+SSE of revision 2024-11-05, on either side. Found as a service. */
public interface LegacyTransport {
    /** The artifact that brings it. */
    String ARTIFACT = "fairlead-http-legacy";

    /** Returns the transport; empty without its artifact. */
    static Optional<LegacyTransport> find() {
        return ServiceLoader.load(LegacyTransport.class, LegacyTransport.class.getClassLoader())
                .findFirst();
    }

    /** Returns the endpoint of a server on these paths. */
    MountedEndpoint endpoint(EndpointContext context, LegacyPaths paths);

    /**
     * Opens the stream of a server, and has messages posted from then on to the place that it
     * names. The wait for that is bounded.
     *
     * @throws NoLegacyStreamException if the server has no such stream
     * @throws IOException if the server cannot be reached
     * @throws dev.fairlead.jsonrpc.ConnectionException if it names a place of another origin
     */
    void open(LegacyConnection connection) throws IOException;
}
