package dev.fairlead.server.features;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.MethodTable;
import dev.fairlead.peer.ProtocolRoute;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.PeerError;
import dev.fairlead.protocol.headers.ParameterHeaders;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.call.AskingBody;
import dev.fairlead.server.call.HandlerCall;
import dev.fairlead.server.call.HeldCalls;
import dev.fairlead.server.call.HoldCallException;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.handler.Delegate;

/** Has a delegate answer a method, which may ask the client before it has a result. */
record DelegatedRoute<P extends RequestParams, R extends Result>(
        Method<P, R> method,
        Delegate delegate,
        HeldCalls heldCalls,
        MethodTable.Handler<P, R, HandlerCall> body)
        implements ProtocolRoute<P, R, ServerCall> {
    /** The error of a client that did not answer is a failure of the tool, as for any other. */
    @Override
    public Outcome<R> run(P params, ServerCall call) throws Exception {
        try {
            return outcome(params, call);
        } catch (JsonRpcException e) {
            String text = PeerError.text(e).orElse(null);
            if (text == null || !method.equals(Methods.CALL_TOOL)) {
                throw e;
            }
            return Outcome.complete(method.result().cast(CallToolResult.failure(text)));
        }
    }

    private Outcome<R> outcome(P params, ServerCall call) throws Exception {
        if (method.equals(Methods.CALL_TOOL) && call.hasParameterHeaders()) {
            delegate.findTool(call.target().name(), call.call())
                    .ifPresent(tool -> call.check(ParameterHeaders.ifValid(tool)));
        }
        if (HeldCalls.isRetry(call)
                || (HeldCalls.canHold(call)
                        && !call.isRetry()
                        && delegate.holdsWhileAsking(params, call.call()))) {
            return hold(params, call);
        }
        try {
            return AskingBody.run(call.call(), asking -> body.answer(params, asking));
        } catch (HoldCallException e) {
            return hold(params, call);
        }
    }

    @SuppressWarnings("unchecked") // the body returns a result of the method, or nothing
    private Outcome<R> hold(P params, ServerCall call) throws Exception {
        return (Outcome<R>) heldCalls.run(call, false, () -> held -> whole(params, held));
    }

    private R whole(P params, HandlerCall held) throws Exception {
        return switch (AskingBody.run(held, asking -> body.answer(params, asking))) {
            case Outcome.Complete<R> complete -> complete.result();
            default -> throw new AssertionError("a held call asks while it runs");
        };
    }
}
