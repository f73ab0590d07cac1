package dev.fairlead.server.features;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.protocol.Caller;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.handler.Handler;

/** A method of the author's own. */
public record ServerMethod(
        String name,
        Access access,
        JsonCodec<Object> input,
        JsonCodec<Object> output,
        Handler<Object, Object> handler) {
    boolean isVisibleTo(Caller caller) {
        return access.isVisibleTo(caller);
    }
}
