package dev.fairlead.client.handlers;

import dev.fairlead.client.internal.Given;
import dev.fairlead.client.internal.UserHandler;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.peer.Route;
import dev.fairlead.protocol.Outcome;

/** Answers a method of the application that is not part of the protocol. */
public record OwnRequestRoute(String method, UserHandler<JsonObject, JsonObject> handler)
        implements Route<JsonObject, JsonObject, ClientCall> {
    @Override
    public JsonObject params(ClientCall call) {
        RawJson params = call.request().params();
        return params == null ? JsonObject.EMPTY : (JsonObject) params.value();
    }

    @Override
    public Class<JsonObject> resultType() {
        return JsonObject.class;
    }

    @Override
    public Outcome<JsonObject> run(JsonObject params, ClientCall call) throws Exception {
        return Outcome.complete(Given.by("the handler of " + method, handler.handle(params)));
    }

    @Override
    public RawJson write(Outcome<JsonObject> outcome, ClientCall call) {
        return RawJson.of(InterceptorChain.result(method, outcome));
    }
}
