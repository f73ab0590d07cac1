package dev.fairlead.server;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.RequestParams;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionInfo;

import java.util.Objects;
import java.util.Optional;

/** A request of the client as interceptors see it. */
record InboundMethod(ServerCall call, Object params) implements MethodCall {
    @Override
    public String name() {
        return call.method();
    }

    @Override
    public MethodCall withParams(Object changed) {
        if (changed.getClass() != params.getClass()) {
            throw new IllegalArgumentException(
                    "the parameters must stay "
                            + params.getClass().getName()
                            + " but were "
                            + changed.getClass().getName());
        }
        return new InboundMethod(call, changed);
    }

    @Override
    public JsonObject meta() {
        return switch (params) {
            case RequestParams known -> Objects.requireNonNullElse(known.meta(), JsonObject.EMPTY);
            case JsonObject own ->
                    own.get("_meta") instanceof JsonObject meta ? meta : JsonObject.EMPTY;
            default -> call.meta();
        };
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
    public boolean isInbound() {
        return true;
    }

    @Override
    public boolean isRequest() {
        return true;
    }

    @Override
    public Caller caller() {
        return call.caller();
    }

    @Override
    public Optional<Revision> revision() {
        return Optional.of(call.revision());
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
