package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.Connector;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionHost;

import java.io.IOException;
import java.util.Objects;

/**
 * A server that a connector reaches; each connection is a new transport.
 *
 * @param connector is called once for each connection
 */
public record PipeRemote(Connector connector, PipeSettings settings) implements Remote {
    public PipeRemote {
        Objects.requireNonNull(connector, "connector");
        Objects.requireNonNull(settings, "settings");
    }

    /** Creates a remote with the default settings under the name {@code pipe}. */
    public PipeRemote(Connector connector) {
        this(connector, PipeSettings.named("pipe"));
    }

    @Override
    public Link connect(SessionHost host) throws IOException, InterruptedException {
        return PipeConnection.open(connector.connect(), settings, false, host);
    }
}
