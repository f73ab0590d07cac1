package dev.fairlead.server;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.protocol.Caller;

import java.util.function.Predicate;

/** A method of the author's own. */
record ServerMethod(
        String name,
        Predicate<Caller> visibleTo,
        JsonCodec<Object> input,
        JsonCodec<Object> output,
        Handler<Object, Object> handler) {
    boolean isVisibleTo(Caller caller) {
        return visibleTo.test(caller);
    }
}
