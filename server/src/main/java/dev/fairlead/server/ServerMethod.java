package dev.fairlead.server;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.protocol.Caller;
import dev.fairlead.server.handler.Handler;

/** A method of the author's own. */
record ServerMethod(
        String name,
        Access access,
        JsonCodec<Object> input,
        JsonCodec<Object> output,
        Handler<Object, Object> handler) {
    boolean isVisibleTo(Caller caller) {
        return access.isVisibleTo(caller);
    }
}
