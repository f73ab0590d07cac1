package dev.fairlead.server;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Result;
import dev.fairlead.protocol.face.WireFace;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Objects;

/** Leads a method through the interceptors, in the order given, to its end. */
final class Interception {
    private Interception() {}

    static Outcome<?> run(List<Interceptor> interceptors, MethodCall method, Interceptor.Next end)
            throws Exception {
        return run(interceptors, Interceptor::intercept, method, end);
    }

    /** The same for a run of the task that the method became. */
    static CallToolResult runTask(
            List<Interceptor> interceptors, MethodCall method, Interceptor.Next end)
            throws Exception {
        return switch (run(interceptors, Interceptor::interceptRun, method, end)) {
            case Outcome.Complete<?> complete -> (CallToolResult) complete.result();
            case Outcome.TaskCreated<?> created ->
                    throw new IllegalStateException("an interceptor made a task of a task");
        };
    }

    /** What an interceptor does. */
    @FunctionalInterface
    private interface Around {
        Outcome<?> apply(Interceptor interceptor, MethodCall method, Interceptor.Next next)
                throws Exception;
    }

    private static Outcome<?> run(
            List<Interceptor> interceptors, Around around, MethodCall method, Interceptor.Next end)
            throws Exception {
        if (interceptors.isEmpty()) {
            return end.proceed(method);
        }
        List<Interceptor> rest = interceptors.subList(1, interceptors.size());
        return Objects.requireNonNull(
                around.apply(interceptors.get(0), method, next -> run(rest, around, next, end)),
                "an interceptor gave null");
    }

    /** As {@link #run}, for callers that can pass on nothing but an interrupt. */
    static Outcome<?> unchecked(
            List<Interceptor> interceptors, MethodCall method, Interceptor.Next end)
            throws InterruptedException {
        try {
            return run(interceptors, method, end);
        } catch (RuntimeException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new UndeclaredThrowableException(e, "an interceptor failed");
        }
    }

    /** What the end of the way gave: a result, or the answer of a request that became a task. */
    static Outcome<?> outcome(Object result) {
        return result instanceof CreateTaskResult created
                ? new Outcome.TaskCreated<>(created)
                : Outcome.complete(result);
    }

    /** The result, or the answer of a request that became a task. */
    static Object result(Outcome<?> outcome) {
        return switch (outcome) {
            case Outcome.Complete<?> complete -> complete.result();
            case Outcome.TaskCreated<?> created -> created.task();
        };
    }

    /** Writes what {@link #result} gave. */
    static <R extends Result> RawJson write(Object result, Method<?, R> method, WireFace face) {
        return result instanceof CreateTaskResult created
                ? face.writeOutcome(method, new Outcome.TaskCreated<>(created))
                : face.writeResult(method, method.result().cast(result));
    }
}
