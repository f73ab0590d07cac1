package dev.fairlead.stdio;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Endpoint;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.pipe.PipeEndpoint;
import dev.fairlead.protocol.pipe.PipeSettings;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;

/**
 * A pair of streams where a server can be served; made by {@link Stdio#streams()}. Immutable: every
 * setting gives a changed copy.
 */
public final class StdioStreams implements Endpoint<Serving> {
    private final StreamSource source;
    private final int maxMessageSize;
    private final PipeSettings settings;

    StdioStreams(StreamSource source, int maxMessageSize) {
        this(source, maxMessageSize, PipeSettings.named("stdio"));
    }

    private StdioStreams(StreamSource source, int maxMessageSize, PipeSettings settings) {
        this.source = source;
        this.maxMessageSize = maxMessageSize;
        this.settings = settings;
    }

    /**
     * Changes the longest message that is accepted, in bytes; by default see {@link
     * Stdio#DEFAULT_MAX_MESSAGE_SIZE}. A longer one is answered with {@code -32600}, and skipped
     * without being kept.
     */
    public StdioStreams maxMessageSize(int bytes) {
        return new StdioStreams(source, LineReader.checkMaxLength(bytes), settings);
    }

    /**
     * Names the one peer as the owner of the tasks that it creates, {@code local} by default.
     * Servers that share a store of tasks give their peers the same name where those are to share
     * their tasks, and different ones where they are not.
     */
    public StdioStreams owner(String name) {
        return new StdioStreams(source, maxMessageSize, settings.withOwner(new Owner.Local(name)));
    }

    /**
     * Sets the caller that the one peer is; anonymous by default. For a host that has identified it
     * by means of its own, such as credentials in its environment. Then features that require
     * scopes can be used, and tasks that the peer creates belong to the caller, not to the {@link
     * #owner}.
     */
    public StdioStreams caller(Caller who) {
        return new StdioStreams(
                source, maxMessageSize, settings.withCaller(Objects.requireNonNull(who, "who")));
    }

    /** Sets how long answers and their writing may take once the input has ended. */
    StdioStreams grace(Duration time) {
        return new StdioStreams(
                source, maxMessageSize, settings.withAnswerGrace(time).withCloseGrace(time));
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
                        streams.direct(),
                        streams.release());
        return new PipeEndpoint(transport, settings).serve(host);
    }
}
