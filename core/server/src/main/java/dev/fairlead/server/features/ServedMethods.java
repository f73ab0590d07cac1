package dev.fairlead.server.features;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.MethodTable;
import dev.fairlead.peer.Route;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.caching.CacheHint;
import dev.fairlead.protocol.caching.CacheableResult;
import dev.fairlead.protocol.versioning.DiscoverResult;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.subscriptions.Subscriptions;

import org.jspecify.annotations.Nullable;

/** The methods that a server answers, in sessions and without them. */
public final class ServedMethods {
    private final MethodTable<ServerCall> sessions = new MethodTable<>();
    private final MethodTable<ServerCall> requests = new MethodTable<>();
    private final Catalog<ServerMethod> ownMethods;

    /** Answers with the features of a provider, and with the author's own methods. */
    public ServedMethods(
            FeatureProvider features,
            Catalog<ServerMethod> ownMethods,
            ServerSettings settings,
            Subscriptions subscriptions) {
        this.ownMethods = ownMethods;
        features.addTo(this);
        sessions.addTasks();
        addTasksExtension();
        requests.add(
                Methods.DISCOVER,
                hinted(
                        Methods.DISCOVER,
                        (params, call) ->
                                new DiscoverResult(
                                                settings.revisions.dates(),
                                                call.face().limit(features.capabilities()))
                                        .withInstructions(settings.instructions)));
        requests.add(
                Methods.LISTEN,
                (params, call) ->
                        subscriptions.listen(
                                params,
                                call,
                                (filter, stream) -> features.listen(filter, stream, call)));
    }

    private void addTasksExtension() {
        requests.add(
                Methods.GET_DETAILED_TASK,
                (params, call) -> call.tasks().extension().get(call.owner(), params, call.face()));
        requests.add(
                Methods.UPDATE_TASK,
                (params, call) -> call.tasks().extension().update(call.owner(), params));
        requests.add(
                Methods.REQUEST_TASK_CANCELLATION,
                (params, call) -> call.tasks().extension().cancel(call.owner(), params));
    }

    /** Returns the methods that only sessions have. */
    MethodTable<ServerCall> sessions() {
        return sessions;
    }

    /** Adds a method with and without sessions. */
    <P extends RequestParams, R extends Result> void add(
            Method<P, R> method, MethodTable.Handler<P, R, ServerCall> handler) {
        sessions.add(method, handler);
        requests.add(method, handler);
    }

    /** Adds a method that has a route of its own. */
    <P extends RequestParams, R extends Result> void add(
            Method<P, R> method, Route<P, R, ServerCall> route) {
        sessions.add(method, route);
        requests.add(method, route);
    }

    /** Adds a list, which has a hint how to keep it where there are no sessions. */
    <P extends RequestParams, R extends CacheableResult> void addList(
            Method<P, R> method, MethodTable.Handler<P, R, ServerCall> handler) {
        sessions.add(method, handler);
        requests.add(method, hinted(method, handler));
    }

    /** Returns a handler whose result gets the hint of the server, unless it has one. */
    private static <P extends RequestParams, R extends CacheableResult>
            MethodTable.Handler<P, R, ServerCall> hinted(
                    Method<P, R> method, MethodTable.Handler<P, R, ServerCall> handler) {
        return (params, call) -> {
            R result = handler.answer(params, call);
            CacheHint hint = call.settings().listHint;
            return hint.equals(CacheHint.NONE) || result.hasCacheHint()
                    ? result
                    : method.result().cast(result.withCacheHint(hint));
        };
    }

    /** Returns the route of a method of the protocol or of the application; null if unknown. */
    private @Nullable Route<?, ?, ServerCall> find(ServerCall call) {
        MethodTable<ServerCall> table =
                call.revision().era() == Era.HANDSHAKE ? sessions : requests;
        Route<?, ?, ServerCall> route = table.find(call.method());
        if (route != null) {
            return route;
        }
        ServerMethod own = ownMethods.find(call.method(), call.caller());
        return own == null ? null : new OwnMethodRoute(own);
    }

    /** Answers a call, through the interceptors if there are any. */
    public RawJson answer(ServerCall call) throws Exception {
        Route<?, ?, ServerCall> route = find(call);
        if (route == null) {
            throw JsonRpcException.methodNotFound(call.method());
        }
        ServerSettings settings = call.settings();
        if (settings.rateLimit != null && (settings.loopbackCalls || !call.owner().isLoopback())) {
            settings.rateLimit.check(call.method(), call.callerKey());
        }
        return route.answer(call, settings.interceptors);
    }
}
