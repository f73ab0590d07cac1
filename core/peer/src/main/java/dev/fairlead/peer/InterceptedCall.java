package dev.fairlead.peer;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.base.RequestParams;

import java.util.Optional;

/**
 * A request as interceptors see it.
 *
 * @param isInbound whether this side is asked
 */
public record InterceptedCall(String name, Object params, boolean isInbound, CallContext context)
        implements MethodCall {
    @Override
    public MethodCall withParams(Object changed) {
        if (changed.getClass() != params.getClass()) {
            throw new IllegalArgumentException(
                    "The parameters of "
                            + name
                            + " must be "
                            + params.getClass().getName()
                            + " but were "
                            + changed.getClass().getName());
        }
        return new InterceptedCall(name, changed, isInbound, context);
    }

    @Override
    public JsonObject meta() {
        if (!(params instanceof RequestParams || params instanceof JsonObject)) {
            return context.meta();
        }
        JsonObject own = MethodCall.super.meta();
        return own.isEmpty() ? context.inheritedMeta() : own;
    }

    @Override
    public int round() {
        return context.round();
    }

    @Override
    public boolean isCancelled() {
        return context.isCancelled();
    }

    @Override
    public Caller caller() {
        return context.caller();
    }

    @Override
    public Optional<RequestId> id() {
        return context.id();
    }

    @Override
    public Optional<SessionInfo> session() {
        return context.session();
    }

    @Override
    public Optional<String> transport() {
        return context.transport();
    }

    @Override
    public Optional<Revision> revision() {
        return context.revision();
    }

    @Override
    public Optional<String> header(String header) {
        return context.header(header);
    }
}
