package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.peer.CallContext;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;

import java.util.Optional;
import java.util.function.Supplier;

/** The context of a request of the client. */
record InboundContext(
        IncomingRequest request,
        ClientChannel channel,
        RequestContext context,
        Supplier<JsonObject> attached,
        int round)
        implements CallContext {
    @Override
    public Caller caller() {
        return context.caller();
    }

    @Override
    public Object connectionKey() {
        return channel.key();
    }

    @Override
    public Optional<RequestId> id() {
        return Optional.of(request.id());
    }

    @Override
    public Optional<SessionInfo> session() {
        return channel.info();
    }

    @Override
    public Optional<String> transport() {
        return Optional.of(channel.transport());
    }

    @Override
    public Optional<Revision> revision() {
        return Optional.of(context.face().revision());
    }

    @Override
    public JsonObject meta() {
        return attached.get();
    }

    @Override
    public Optional<String> header(String name) {
        return request.exchange().header(name).stream().findFirst();
    }

    @Override
    public boolean isCancelled() {
        return request.cancellation()
                .filter(cancelled -> cancelled.cause() != Cancellation.Cause.DEADLINE)
                .isPresent();
    }
}
