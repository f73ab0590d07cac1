package dev.fairlead.server.features;

import dev.fairlead.peer.MethodTable;
import dev.fairlead.peer.ProtocolRoute;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.server.call.AskingBody;
import dev.fairlead.server.call.ServerCall;

/** Answers a method whose handlers may ask the client before they have a result. */
record AskingRoute<P extends RequestParams, R extends Result>(
        Method<P, R> method, MethodTable.Handler<P, R, ServerCall> handler)
        implements ProtocolRoute<P, R, ServerCall> {
    @Override
    public Outcome<R> run(P params, ServerCall call) throws Exception {
        return AskingBody.run(call.call(), asking -> handler.answer(params, call));
    }
}
