package dev.fairlead.server;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.peer.CallContext;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionInfo;

import java.util.Optional;

/** What is known of a request of the client. */
record InboundContext(ServerCall call) implements CallContext, RateLimit.Source {
    @Override
    public Caller caller() {
        return call.caller();
    }

    @Override
    public Optional<RequestId> id() {
        return Optional.of(call.request().id());
    }

    @Override
    public Optional<SessionInfo> session() {
        return call.channel().info();
    }

    @Override
    public Optional<Revision> revision() {
        return Optional.of(call.revision());
    }

    @Override
    public JsonObject meta() {
        return call.meta();
    }

    @Override
    public Optional<String> header(String name) {
        return call.headers(name).stream().findFirst();
    }

    @Override
    public Object key() {
        return call.channel().key();
    }
}
