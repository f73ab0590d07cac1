package dev.fairlead.http.legacy;

import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.LegacyPaths;
import dev.fairlead.http.endpoint.MountedEndpoint;
import dev.fairlead.http.sse.LegacyConnection;
import dev.fairlead.http.sse.LegacyTransport;

import java.io.IOException;

/** HTTP+SSE of revision 2024-11-05, as the module {@code dev.fairlead.http} finds it. */
public final class SseTransport implements LegacyTransport {
    @Override
    public MountedEndpoint endpoint(EndpointContext context, LegacyPaths paths) {
        return new LegacyEndpoint(context, paths);
    }

    @Override
    public void open(LegacyConnection connection) throws IOException {
        new LegacyStream(connection).open();
    }
}
