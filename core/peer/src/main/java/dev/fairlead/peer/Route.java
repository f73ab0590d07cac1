package dev.fairlead.peer;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Outcome;

import java.util.List;

/**
 * Answers one method: reads its parameters, runs its handler, writes the outcome.
 *
 * @param <P> its parameters
 * @param <R> its result
 * @param <C> the calls of this side
 */
public interface Route<P, R, C extends IncomingCall> {
    /** Reads the parameters; fails with {@code -32602} if they are invalid. */
    P params(C call);

    Class<R> resultType();

    Outcome<R> run(P params, C call) throws Exception;

    RawJson write(Outcome<R> outcome, C call);

    /** Answers without interceptors. */
    default RawJson answer(C call) throws Exception {
        return write(run(params(call), call), call);
    }

    /** Answers through interceptors, the first outermost. */
    default RawJson answer(C call, List<Interceptor> interceptors) throws Exception {
        if (interceptors.isEmpty()) {
            return answer(call);
        }
        P params = params(call);
        Outcome<R> outcome =
                InterceptorChain.run(
                        interceptors,
                        new InterceptedCall(call.request().method(), params, true, call.context()),
                        resultType(),
                        changed -> run(same(params, changed.params()), call));
        return write(outcome, call);
    }

    /** Casts parameters: an interceptor cannot change their class. */
    @SuppressWarnings("unchecked")
    private static <P> P same(P params, Object changed) {
        return (P) params.getClass().cast(changed);
    }
}
