package dev.fairlead.peer;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;

/**
 * Answers a method of the protocol, and runs no request as the task that it asks for.
 *
 * @param <P> its parameters
 * @param <R> its result
 * @param <C> the calls of this side
 */
public interface ProtocolRoute<P extends RequestParams, R extends Result, C extends IncomingCall>
        extends Route<P, R, C> {
    Method<P, R> method();

    @Override
    default P params(C call) {
        return call.face().readPlainParams(method(), call.request().params()).params();
    }

    @Override
    default Class<R> resultType() {
        return method().result();
    }

    @Override
    default RawJson write(Outcome<R> outcome, C call) {
        RawJson written = call.face().writeOutcome(method(), outcome);
        call.answered(outcome);
        return written;
    }
}
