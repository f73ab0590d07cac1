package dev.fairlead.client;

import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionInfo;

import java.util.List;
import java.util.Optional;

/** Runs interceptors around a request. */
final class Interceptors {
    private Interceptors() {}

    /** One request as interceptors see it. */
    record Seen(
            String name,
            Class<?> type,
            Object params,
            boolean isInbound,
            Caller caller,
            Optional<RequestId> id,
            Optional<SessionInfo> session)
            implements MethodCall {
        @Override
        public MethodCall withParams(Object other) {
            if (!type.isInstance(other)) {
                throw new IllegalArgumentException(
                        "the parameters of "
                                + name
                                + " must be of "
                                + type
                                + " but are of "
                                + other.getClass());
            }
            return new Seen(name, type, other, isInbound, caller, id, session);
        }

        @Override
        public Optional<Revision> revision() {
            return session.map(SessionInfo::revision);
        }

        @Override
        public boolean isRequest() {
            return true;
        }
    }

    /** The request itself. */
    @FunctionalInterface
    interface Body<R> {
        Outcome<R> run(MethodCall call) throws Exception;
    }

    /** Runs the request inside the interceptors, the first outermost. */
    static <R> Outcome<R> run(
            List<Interceptor> interceptors, MethodCall call, Class<R> type, Body<R> body)
            throws Exception {
        return run(interceptors, Interceptor::intercept, call, type, body);
    }

    /** The same for a run of the task that a request became. */
    static <R> Outcome<R> runTask(
            List<Interceptor> interceptors, MethodCall call, Class<R> type, Body<R> body)
            throws Exception {
        return run(interceptors, Interceptor::interceptRun, call, type, body);
    }

    /** What an interceptor does. */
    @FunctionalInterface
    private interface Around {
        Outcome<?> apply(Interceptor interceptor, MethodCall call, Interceptor.Next next)
                throws Exception;
    }

    private static <R> Outcome<R> run(
            List<Interceptor> interceptors,
            Around around,
            MethodCall call,
            Class<R> type,
            Body<R> body)
            throws Exception {
        if (interceptors.isEmpty()) {
            return body.run(call);
        }
        return switch (next(interceptors, around, call, body::run)) {
            case Outcome.Complete<?> complete -> Outcome.complete(type.cast(complete.result()));
            case Outcome.TaskCreated<?> created -> new Outcome.TaskCreated<>(created.task());
        };
    }

    /**
     * The result of a request that asked for no task.
     *
     * @throws IllegalStateException if interceptors made a task of it
     */
    static <R> R result(MethodCall call, Outcome<R> outcome) {
        return switch (outcome) {
            case Outcome.Complete<R> complete -> complete.result();
            case Outcome.TaskCreated<R> created ->
                    throw new IllegalStateException("an interceptor made a task of " + call.name());
        };
    }

    private static Outcome<?> next(
            List<Interceptor> interceptors, Around around, MethodCall call, Interceptor.Next last)
            throws Exception {
        if (interceptors.isEmpty()) {
            return last.proceed(call);
        }
        List<Interceptor> rest = interceptors.subList(1, interceptors.size());
        return around.apply(
                interceptors.get(0), call, changed -> next(rest, around, changed, last));
    }
}
