package dev.fairlead.server.features;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.MethodTable;
import dev.fairlead.peer.Route;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.EmptyResult;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.caching.CacheHint;
import dev.fairlead.protocol.caching.CacheableResult;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.versioning.DiscoverResult;
import dev.fairlead.server.call.HandlerCall;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.completion.CompletionMethods;
import dev.fairlead.server.handler.Delegate;
import dev.fairlead.server.notifications.Announcements;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.Paging;
import dev.fairlead.server.prompts.PromptMethods;
import dev.fairlead.server.resources.ResourceMethods;
import dev.fairlead.server.subscriptions.Subscriptions;
import dev.fairlead.server.tools.ToolCallRoute;
import dev.fairlead.server.tools.ToolMethods;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Objects;

/** The methods that a server answers, in sessions and without them. */
public final class ServedMethods {
    private final Map<Era, MethodTable<ServerCall>> tables =
            Map.of(Era.HANDSHAKE, new MethodTable<>(), Era.PER_REQUEST, new MethodTable<>());
    private final Catalog<ServerMethod> ownMethods;
    private final @Nullable ResourceMethods resources; // null: a delegate has them

    /**
     * Answers with the features of a server at one moment.
     *
     * @param able what the server can do with them
     */
    public ServedMethods(
            FeatureSet features,
            ServerSettings settings,
            ServerCapabilities able,
            Subscriptions subscriptions) {
        this.ownMethods = features.methods();
        Paging paging = new Paging(settings.pageSize);
        ToolMethods tools = new ToolMethods(features.tools(), paging);
        ResourceMethods resources = new ResourceMethods(features.resources(), paging);
        this.resources = resources;
        PromptMethods prompts = new PromptMethods(features.prompts(), paging);
        CompletionMethods completion =
                new CompletionMethods(prompts::completions, resources::completions);
        for (Era era : Era.values()) {
            MethodTable<ServerCall> table = table(era);
            addList(era, Methods.LIST_TOOLS, tools::list);
            table.add(Methods.CALL_TOOL, new ToolCallRoute(features.tools()));
            addList(era, Methods.LIST_RESOURCES, resources::list);
            addList(era, Methods.LIST_RESOURCE_TEMPLATES, resources::listTemplates);
            addAsking(table, Methods.READ_RESOURCE, resources::read);
            addList(era, Methods.LIST_PROMPTS, prompts::list);
            addAsking(table, Methods.GET_PROMPT, prompts::get);
            table.add(Methods.COMPLETE, completion::complete);
        }
        MethodTable<ServerCall> sessions = table(Era.HANDSHAKE);
        sessions.add(Methods.SUBSCRIBE, resources::subscribe);
        sessions.add(Methods.UNSUBSCRIBE, resources::unsubscribe);
        sessions.add(
                Methods.SET_LEVEL,
                (params, call) -> {
                    call.channel().announcements().setLevel(params.level());
                    return EmptyResult.EMPTY;
                });
        sessions.addTasks();
        addTasksExtension();
        addDiscovery(settings, able);
        table(Era.PER_REQUEST)
                .add(
                        Methods.LISTEN,
                        (params, call) ->
                                subscriptions.listen(params, call, (filter, stream) -> filter));
    }

    private void addTasksExtension() {
        MethodTable<ServerCall> requests = table(Era.PER_REQUEST);
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

    private MethodTable<ServerCall> table(Era era) {
        return Objects.requireNonNull(tables.get(era), "era");
    }

    private static <P extends RequestParams, R extends Result> void addAsking(
            MethodTable<ServerCall> table,
            Method<P, R> method,
            MethodTable.Handler<P, R, ServerCall> handler) {
        table.add(method, new AskingRoute<>(method, handler));
    }

    /** Adds a list. Its result gets a hint how to keep it, unless its handler has set one. */
    private <P extends RequestParams, R extends CacheableResult> void addList(
            Era era, Method<P, R> method, MethodTable.Handler<P, R, ServerCall> handler) {
        if (era == Era.HANDSHAKE) { // which has no hints
            table(era).add(method, handler);
            return;
        }
        table(era)
                .add(
                        method,
                        (params, call) -> {
                            R result = handler.answer(params, call);
                            CacheHint hint = call.settings().listHint;
                            return hint.equals(CacheHint.NONE) || result.hasCacheHint()
                                    ? result
                                    : method.result().cast(result.withCacheHint(hint));
                        });
    }

    private void addDiscovery(ServerSettings settings, ServerCapabilities able) {
        addList(
                Era.PER_REQUEST,
                Methods.DISCOVER,
                (params, call) ->
                        new DiscoverResult(settings.revisions.dates(), call.face().limit(able))
                                .withInstructions(settings.instructions));
    }

    /**
     * Has all methods of features answered by a delegate.
     *
     * @param able what the delegate can do
     */
    public ServedMethods(
            FeatureSet features,
            Delegate delegate,
            ServerSettings settings,
            ServerCapabilities able,
            Subscriptions subscriptions) {
        this.ownMethods = features.methods();
        this.resources = null;
        for (Era era : Era.values()) {
            MethodTable<ServerCall> table = table(era);
            addList(
                    era,
                    Methods.LIST_TOOLS,
                    (params, call) -> ToolMethods.withoutTasks(delegate.listTools(params, call)));
            addDelegated(table, Methods.CALL_TOOL, delegate, delegate::callTool);
            addList(era, Methods.LIST_RESOURCES, delegate::listResources);
            addList(era, Methods.LIST_RESOURCE_TEMPLATES, delegate::listResourceTemplates);
            addDelegated(table, Methods.READ_RESOURCE, delegate, delegate::readResource);
            addList(era, Methods.LIST_PROMPTS, delegate::listPrompts);
            addDelegated(table, Methods.GET_PROMPT, delegate, delegate::getPrompt);
            table.add(Methods.COMPLETE, delegate::complete);
        }
        MethodTable<ServerCall> sessions = table(Era.HANDSHAKE);
        sessions.add(
                Methods.SUBSCRIBE,
                (params, call) -> {
                    subscribe(delegate, params.uri(), call);
                    return EmptyResult.EMPTY;
                });
        sessions.add(
                Methods.UNSUBSCRIBE,
                (params, call) -> {
                    call.channel().announcements().unsubscribe(params.uri());
                    delegate.unsubscribe(params.uri(), call);
                    return EmptyResult.EMPTY;
                });
        sessions.add(
                Methods.SET_LEVEL,
                (params, call) -> {
                    call.channel().announcements().setLevel(params.level());
                    delegate.setLoggingLevel(params.level(), call);
                    return EmptyResult.EMPTY;
                });
        addDiscovery(settings, able);
        table(Era.PER_REQUEST)
                .add(
                        Methods.LISTEN,
                        (params, call) ->
                                subscriptions.listen(
                                        params,
                                        call,
                                        (filter, stream) -> delegate.listen(filter, stream, call)));
    }

    private static <P extends RequestParams, R extends Result> void addDelegated(
            MethodTable<ServerCall> table,
            Method<P, R> method,
            Delegate delegate,
            MethodTable.Handler<P, R, HandlerCall> body) {
        table.add(method, new DelegatedRoute<>(method, delegate, body));
    }

    private static void subscribe(Delegate delegate, String uri, ServerCall call) throws Exception {
        Announcements announcements = call.channel().announcements();
        boolean before = announcements.watches(uri);
        announcements.subscribe(uri);
        boolean done = before;
        try {
            delegate.subscribe(uri, call);
            done = true;
        } finally {
            if (!done) {
                announcements.unsubscribe(uri);
            }
        }
    }

    /** Returns the route of a method of the protocol or of the application; null if unknown. */
    private @Nullable Route<?, ?, ServerCall> find(ServerCall call) {
        Route<?, ?, ServerCall> route = table(call.revision().era()).find(call.method());
        if (route != null) {
            return route;
        }
        ServerMethod own = ownMethods.find(call.method());
        return own == null || !own.isVisibleTo(call.caller()) ? null : new OwnMethodRoute(own);
    }

    /**
     * Returns whether there is such a resource for a caller. A delegate is not asked: a change that
     * it reports is sent to all clients that watch the resource.
     */
    public boolean isVisible(String uri, Caller caller) {
        return resources == null || resources.isVisible(uri, caller);
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
