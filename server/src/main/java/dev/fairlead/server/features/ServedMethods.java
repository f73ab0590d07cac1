package dev.fairlead.server.features;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.MethodTable;
import dev.fairlead.peer.Route;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.EmptyResult;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.completion.CompletionMethods;
import dev.fairlead.server.handler.Delegate;
import dev.fairlead.server.notifications.Announcements;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.Paging;
import dev.fairlead.server.prompts.PromptMethods;
import dev.fairlead.server.resources.ResourceMethods;
import dev.fairlead.server.tools.ToolCallRoute;
import dev.fairlead.server.tools.ToolMethods;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The methods that a server answers. */
public final class ServedMethods {
    private final MethodTable<ServerCall> table = new MethodTable<>();
    private final Catalog<ServerMethod> ownMethods;

    /** Answers with the features of a server at one moment. */
    public ServedMethods(FeatureSet features, Paging paging) {
        this.ownMethods = features.methods();
        ToolMethods tools = new ToolMethods(features.tools(), paging);
        ResourceMethods resources = new ResourceMethods(features.resources(), paging);
        PromptMethods prompts = new PromptMethods(features.prompts(), paging);
        CompletionMethods completion =
                new CompletionMethods(prompts::completions, resources::completions);
        table.add(Methods.LIST_TOOLS, tools::list);
        table.add(Methods.CALL_TOOL, new ToolCallRoute(features.tools()));
        table.add(Methods.LIST_RESOURCES, resources::list);
        table.add(Methods.LIST_RESOURCE_TEMPLATES, resources::listTemplates);
        table.add(Methods.READ_RESOURCE, resources::read);
        table.add(Methods.SUBSCRIBE, resources::subscribe);
        table.add(Methods.UNSUBSCRIBE, resources::unsubscribe);
        table.add(Methods.LIST_PROMPTS, prompts::list);
        table.add(Methods.GET_PROMPT, prompts::get);
        table.add(Methods.COMPLETE, completion::complete);
        table.add(
                Methods.SET_LEVEL,
                (params, call) -> {
                    call.channel().announcements().setLevel(params.level());
                    return EmptyResult.EMPTY;
                });
        table.addTasks();
    }

    /** Has all methods of features answered by a delegate. */
    public ServedMethods(FeatureSet features, Delegate delegate) {
        this.ownMethods = features.methods();
        table.add(
                Methods.LIST_TOOLS,
                (params, call) -> ToolMethods.withoutTasks(delegate.listTools(params, call)));
        table.add(Methods.CALL_TOOL, delegate::callTool);
        table.add(Methods.LIST_RESOURCES, delegate::listResources);
        table.add(Methods.LIST_RESOURCE_TEMPLATES, delegate::listResourceTemplates);
        table.add(Methods.READ_RESOURCE, delegate::readResource);
        table.add(
                Methods.SUBSCRIBE,
                (params, call) -> {
                    subscribe(delegate, params.uri(), call);
                    return EmptyResult.EMPTY;
                });
        table.add(
                Methods.UNSUBSCRIBE,
                (params, call) -> {
                    call.channel().announcements().unsubscribe(params.uri());
                    delegate.unsubscribe(params.uri(), call);
                    return EmptyResult.EMPTY;
                });
        table.add(Methods.LIST_PROMPTS, delegate::listPrompts);
        table.add(Methods.GET_PROMPT, delegate::getPrompt);
        table.add(Methods.COMPLETE, delegate::complete);
        table.add(
                Methods.SET_LEVEL,
                (params, call) -> {
                    call.channel().announcements().setLevel(params.level());
                    delegate.setLoggingLevel(params.level(), call);
                    return EmptyResult.EMPTY;
                });
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
        Route<?, ?, ServerCall> route = table.find(call.method());
        if (route != null) {
            return route;
        }
        ServerMethod own = ownMethods.find(call.method());
        return own == null || !own.isVisibleTo(call.caller()) ? null : new OwnMethodRoute(own);
    }

    /** Answers a call, through the interceptors if there are any. */
    public RawJson answer(ServerCall call) throws Exception {
        Route<?, ?, ServerCall> route = find(call);
        if (route == null) {
            throw JsonRpcException.methodNotFound(call.method());
        }
        ServerSettings settings = call.settings();
        if (settings.rateLimit() != null) {
            Caller caller = call.caller();
            Object key =
                    caller.isAnonymous()
                            ? call.channel().key()
                            : List.of(caller.issuer(), caller.subject());
            settings.rateLimit().check(call.method(), key);
        }
        return route.answer(call, settings.interceptors());
    }
}
