package dev.fairlead.server.features;

import dev.fairlead.json.RawJson;
import dev.fairlead.peer.Route;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.headers.ParameterHeaders;
import dev.fairlead.server.call.AskingBody;
import dev.fairlead.server.call.HandlerCall;
import dev.fairlead.server.call.HeldCalls;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.handler.Delegate;

/** Has a delegate answer a method, which may ask the client before it has a result. */
record DelegatedRoute<P extends RequestParams, R extends Result>(
        Method<P, R> method, Delegate delegate, Body<P, R> body)
        implements Route<P, R, ServerCall> {
    /** A method of a delegate. */
    @FunctionalInterface
    interface Body<P, R> {
        R answer(P params, HandlerCall call) throws Exception;
    }

    @Override
    public P params(ServerCall call) {
        return call.face().readPlainParams(method, call.request().params()).params();
    }

    @Override
    public Class<R> resultType() {
        return method.result();
    }

    @Override
    public Outcome<R> run(P params, ServerCall call) throws Exception {
        if (method.equals(Methods.CALL_TOOL) && call.hasParameterHeaders()) {
            delegate.findTool(call.target().name(), call)
                    .ifPresent(tool -> call.check(ParameterHeaders.ifValid(tool)));
        }
        if (HeldCalls.isRetry(call)
                || (HeldCalls.canHold(call)
                        && call.retry().isEmpty()
                        && delegate.holdsWhileAsking(params, call))) {
            return call.channel()
                    .server()
                    .heldCalls()
                    .run(call, false, method.result(), held -> body.answer(params, held));
        }
        return AskingBody.run(call, () -> body.answer(params, call));
    }

    @Override
    public RawJson write(Outcome<R> outcome, ServerCall call) {
        return call.face().writeOutcome(method, outcome);
    }
}
