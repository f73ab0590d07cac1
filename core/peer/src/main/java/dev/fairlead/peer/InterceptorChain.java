package dev.fairlead.peer;

import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Runs interceptors around a request, the first outermost. An interceptor that returns null, or the
 * result of another method, breaks its contract: the request fails with {@link
 * IllegalStateException}, which names the method.
 */
public final class InterceptorChain {
    private InterceptorChain() {}

    /** The request itself, with the parameters that the interceptors left. */
    @FunctionalInterface
    public interface Request<R> {
        Outcome<R> run(MethodCall call) throws Exception;
    }

    /** One method of an interceptor. */
    @FunctionalInterface
    private interface Around {
        @Nullable Outcome<?> apply(Interceptor interceptor, MethodCall call, Interceptor.Next next)
                throws Exception;
    }

    /** Runs a request inside the interceptors. */
    public static <R> Outcome<R> run(
            List<Interceptor> interceptors, MethodCall call, Class<R> result, Request<R> request)
            throws Exception {
        return interceptors.isEmpty()
                ? request.run(call)
                : checked(call, result, run(interceptors, Interceptor::intercept, call, request));
    }

    /** Runs a request like {@link #run}, for callers that can pass on nothing but an interrupt. */
    public static <R> Outcome<R> runUnchecked(
            List<Interceptor> interceptors, MethodCall call, Class<R> result, Request<R> request)
            throws InterruptedException {
        try {
            return run(interceptors, call, result, request);
        } catch (RuntimeException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("An interceptor of " + call.name() + " failed", e);
        }
    }

    /** Runs a task that a request became inside the interceptors. */
    public static <R> R runTask(
            List<Interceptor> interceptors, MethodCall call, Class<R> result, Request<R> request)
            throws Exception {
        return result(
                call.name(),
                interceptors.isEmpty()
                        ? request.run(call)
                        : checked(
                                call,
                                result,
                                run(interceptors, Interceptor::interceptRun, call, request)));
    }

    /**
     * The result of a request that asked for no task.
     *
     * @throws IllegalStateException if there is a task instead
     */
    public static <R> R result(String method, Outcome<R> outcome) {
        return switch (outcome) {
            case Outcome.Complete<R> complete -> complete.result();
            case Outcome.TaskCreated<R> created ->
                    throw new IllegalStateException(
                            "An interceptor returned a task for "
                                    + method
                                    + ", which did not ask for one");
            case Outcome.InputRequired<R> required ->
                    throw new IllegalStateException(
                            "An interceptor returned questions for "
                                    + method
                                    + ", which cannot ask");
        };
    }

    private static Outcome<?> run(
            List<Interceptor> interceptors, Around around, MethodCall call, Request<?> request)
            throws Exception {
        if (interceptors.isEmpty()) {
            return request.run(call);
        }
        List<Interceptor> rest = interceptors.subList(1, interceptors.size());
        Outcome<?> outcome =
                around.apply(
                        interceptors.getFirst(), call, next -> run(rest, around, next, request));
        if (outcome == null) {
            throw new IllegalStateException("An interceptor returned null for " + call.name());
        }
        return outcome;
    }

    private static <R> Outcome<R> checked(MethodCall call, Class<R> type, Outcome<?> outcome) {
        return switch (outcome) {
            case Outcome.TaskCreated<?> created -> new Outcome.TaskCreated<>(created.task());
            case Outcome.InputRequired<?> required -> new Outcome.InputRequired<>(required.input());
            case Outcome.Complete<?> complete when type.isInstance(complete.result()) ->
                    Outcome.complete(type.cast(complete.result()));
            case Outcome.Complete<?> complete ->
                    throw new IllegalStateException(
                            "An interceptor returned "
                                    + complete.result().getClass().getName()
                                    + " for "
                                    + call.name()
                                    + ", whose result is "
                                    + type.getName());
        };
    }
}
