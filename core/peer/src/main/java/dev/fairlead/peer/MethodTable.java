package dev.fairlead.peer;

import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * The handlers of all methods that the peer can call. Filled by one thread, then read by all.
 *
 * @param <C> the calls of this side
 */
public final class MethodTable<C extends IncomingCall> {
    private final Map<String, Route<?, ?, C>> routes = new HashMap<>();

    /** Answers a method that never becomes a task. */
    @FunctionalInterface
    public interface Handler<P, R, C> {
        R answer(P params, C call) throws Exception;
    }

    /** Ignores a requested task and answers with the result. */
    private record Plain<P extends RequestParams, R extends Result, C extends IncomingCall>(
            Method<P, R> method, Handler<P, R, C> handler) implements ProtocolRoute<P, R, C> {
        @Override
        public Outcome<R> run(P params, C call) throws Exception {
            return Outcome.complete(handler.answer(params, call));
        }
    }

    public <P extends RequestParams, R extends Result> void add(
            Method<P, R> method, Handler<P, R, C> handler) {
        add(method, new Plain<>(method, handler));
    }

    /** Adds a method that has a route of its own, such as one that makes tasks. */
    public <P extends RequestParams, R extends Result> void add(
            Method<P, R> method, Route<P, R, C> route) {
        routes.put(method.name(), route);
    }

    /** Adds the methods of tasks, which are the same on both sides. */
    public void addTasks() {
        add(Methods.GET_TASK, (params, call) -> call.tasks().get(call.owner(), params));
        add(
                Methods.GET_TASK_PAYLOAD,
                (params, call) -> {
                    call.withoutLimit();
                    return call.tasks().result(call.owner(), params, call.request());
                });
        add(Methods.LIST_TASKS, (params, call) -> call.tasks().list(call.owner(), params));
        add(Methods.CANCEL_TASK, (params, call) -> call.tasks().cancel(call.owner(), params));
    }

    /** Returns the route of a method; null if there is none. */
    public @Nullable Route<?, ?, C> find(String method) {
        return routes.get(method);
    }
}
