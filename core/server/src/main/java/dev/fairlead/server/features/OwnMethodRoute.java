package dev.fairlead.server.features;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.peer.Route;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.server.call.ServerCall;

import java.util.Objects;

/** Answers a method of the application that is not part of the protocol. */
record OwnMethodRoute(ServerMethod method) implements Route<Object, Object, ServerCall> {
    @Override
    public Object params(ServerCall call) {
        RawJson params = call.request().params();
        try {
            return method.input().read(params == null ? RawJson.EMPTY_OBJECT : params);
        } catch (JsonBindingException | JsonException e) {
            throw JsonRpcException.invalidParams("Invalid params: " + e.getMessage());
        }
    }

    @Override
    public Class<Object> resultType() {
        return Object.class;
    }

    @Override
    public Outcome<Object> run(Object params, ServerCall call) throws Exception {
        method.access().admit(call.caller());
        return Outcome.complete(
                Objects.requireNonNull(
                        method.handler().handle(params, call.call()),
                        "the handler returned null: return an object"));
    }

    @Override
    public RawJson write(Outcome<Object> outcome, ServerCall call) {
        RawJson written = method.output().write(InterceptorChain.result(method.name(), outcome));
        if (!written.isObject()) {
            throw new IllegalStateException(
                    "the result of " + method.name() + " must be an object");
        }
        return written;
    }
}
