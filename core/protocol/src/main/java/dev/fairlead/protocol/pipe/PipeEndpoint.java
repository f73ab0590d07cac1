package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.Transport;
import dev.fairlead.protocol.Endpoint;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.SessionHost;

import java.io.IOException;
import java.util.Objects;

/**
 * Serves the one peer at the other end of an open transport. The serving ends with the input or by
 * {@code close}, after earlier requests have had a short time to be answered.
 *
 * @param transport is closed with the serving; can be served once
 */
public record PipeEndpoint(Transport transport, PipeSettings settings)
        implements Endpoint<Serving> {

    public PipeEndpoint {
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(settings, "settings");
    }

    /** Creates an endpoint with the default settings under the name {@code pipe}. */
    public PipeEndpoint(Transport transport) {
        this(transport, PipeSettings.named("pipe"));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the host takes no session; the transport is then closed
     */
    @Override
    public Serving serve(SessionHost host) throws IOException {
        return PipeConnection.open(transport, settings, true, host);
    }
}
