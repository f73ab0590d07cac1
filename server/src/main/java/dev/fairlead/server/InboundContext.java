package dev.fairlead.server;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.peer.CallContext;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionInfo;

import java.util.Optional;

/** What is known of a request of the client. */
record InboundContext(ServerCall call) implements CallContext {
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
        return call.session().info();
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

    /** Whom the calls of the session are counted for. */
    Object sessionKey() {
        return call.session().key();
    }
}
