package dev.fairlead.client.calls;

import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.ServerLink;
import dev.fairlead.peer.CallContext;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionInfo;

import java.util.Optional;

/** A request to the server, as interceptors see it. Its round changes while it lasts. */
final class OutboundContext implements CallContext {
    private final String transport;
    private final Optional<SessionInfo> session;
    private final Optional<Revision> revision;
    private volatile int round = 1;

    OutboundContext(ServerLink link) {
        this.transport = link.channel().context().transport();
        this.session = link.channel().info();
        this.revision = link.channel().revision();
    }

    void begin(int number) {
        round = number;
    }

    /** Returns options that count the rounds here. */
    CallOptions counting(CallOptions options) {
        return options.with(copy -> copy.round = this::begin);
    }

    @Override
    public Optional<SessionInfo> session() {
        return session;
    }

    @Override
    public Optional<String> transport() {
        return Optional.of(transport);
    }

    @Override
    public Optional<Revision> revision() {
        return revision;
    }

    @Override
    public int round() {
        return round;
    }
}
