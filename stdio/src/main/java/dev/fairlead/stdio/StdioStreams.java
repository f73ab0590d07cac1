package dev.fairlead.stdio;

import dev.fairlead.protocol.Endpoint;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.pipe.PipeEndpoint;
import dev.fairlead.protocol.pipe.PipeSettings;

import java.io.IOException;

/**
 * A pair of streams where a server can be served; made by {@link Stdio#streams()}. Immutable: every
 * setting gives a changed copy.
 */
public final class StdioStreams implements Endpoint<Serving> {
    private final StreamSource source;
    private final int maxMessageSize;

    StdioStreams(StreamSource source, int maxMessageSize) {
        this.source = source;
        this.maxMessageSize = maxMessageSize;
    }

    /**
     * Changes the longest message that is accepted, {@value Stdio#DEFAULT_MAX_MESSAGE_SIZE} bytes
     * by default. A longer one is answered with {@code -32600}, and skipped without being kept.
     */
    public StdioStreams maxMessageSize(int bytes) {
        return new StdioStreams(source, LineReader.checkMaxLength(bytes));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException if the streams are served already
     */
    @Override
    public Serving serve(SessionHost host) throws IOException {
        StreamSource.Streams streams = source.open();
        LineTransport transport =
                new LineTransport(
                        new LineReader(streams.in(), maxMessageSize),
                        streams.out(),
                        streams.release());
        return new PipeEndpoint(transport, PipeSettings.named("stdio")).serve(host);
    }
}
