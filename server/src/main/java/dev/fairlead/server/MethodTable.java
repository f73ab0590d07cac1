package dev.fairlead.server;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.peer.SessionTasks;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EmptyResult;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.RequestParams;
import dev.fairlead.protocol.Result;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Which code answers which method. Made once for a server. */
final class MethodTable {
    private final Map<String, Route<?, ?>> routes = new HashMap<>();

    /**
     * Answers one method.
     *
     * @param <P> its parameters
     * @param <R> its result
     */
    interface Route<P, R> {
        /** The parameters as their record. */
        P params(ServerCall call);

        Class<R> resultType();

        Outcome<R> run(P params, ServerCall call) throws Exception;

        RawJson write(Outcome<R> outcome, ServerCall call);

        /** Answers without interceptors. */
        default RawJson answer(ServerCall call) throws Exception {
            return write(run(params(call), call), call);
        }

        /** Answers through interceptors. */
        default RawJson answer(ServerCall call, List<Interceptor> interceptors) throws Exception {
            P params = params(call);
            MethodCall method =
                    new InterceptedCall(call.method(), params, true, new InboundContext(call));
            Outcome<R> outcome =
                    InterceptorChain.run(
                            interceptors,
                            method,
                            resultType(),
                            changed -> run(same(params, changed.params()), call));
            return write(outcome, call);
        }

        /** Interceptors can only leave parameters of the same class. */
        @SuppressWarnings("unchecked")
        private static <P> P same(P params, Object changed) {
            return (P) params.getClass().cast(changed);
        }
    }

    /** Answers a method of the protocol. */
    @FunctionalInterface
    interface Body<P, R> {
        R run(P params, ServerCall call) throws Exception;
    }

    /**
     * A method of the protocol, read and written by the face of the revision. Whoever asks for a
     * task gets a plain answer: the one method that makes tasks has a route of its own.
     */
    private record Protocol<P extends RequestParams, R extends Result>(
            Method<P, R> method, Body<P, R> body) implements Route<P, R> {
        @Override
        public P params(ServerCall call) {
            return call.face().readPlainParams(method, call.request().params()).params();
        }

        @Override
        public Class<R> resultType() {
            return method.result();
        }

        @Override
        public Outcome<R> run(P params, ServerCall call) throws Exception {
            return Outcome.complete(body.run(params, call));
        }

        @Override
        public RawJson write(Outcome<R> outcome, ServerCall call) {
            return call.face().writeOutcome(method, outcome);
        }
    }

    /** A method of the author's own. */
    private record Own(ServerMethod method) implements Route<Object, Object> {
        @Override
        public Object params(ServerCall call) {
            RawJson params = call.request().params();
            try {
                return method.input().read(params == null ? RawJson.EMPTY_OBJECT : params);
            } catch (JsonBindingException | JsonException e) {
                throw JsonRpcException.invalidParams("Invalid params: " + e.getMessage());
            }
        }

        @Override
        public Class<Object> resultType() {
            return Object.class;
        }

        @Override
        public Outcome<Object> run(Object params, ServerCall call) throws Exception {
            method.access().admit(call.caller());
            return Outcome.complete(
                    Objects.requireNonNull(
                            method.handler().handle(params, call), "the handler gave null"));
        }

        @Override
        public RawJson write(Outcome<Object> outcome, ServerCall call) {
            RawJson written =
                    method.output().write(InterceptorChain.result(method.name(), outcome));
            if (!written.isObject()) {
                throw new IllegalStateException(
                        "the result of " + method.name() + " must be an object");
            }
            return written;
        }
    }

    MethodTable(ToolMethods tools, ResourceMethods resources, PromptMethods prompts) {
        add(Methods.LIST_TOOLS, tools::list);
        routes.put(Methods.CALL_TOOL.name(), new ToolCallRoute());
        add(Methods.LIST_RESOURCES, resources::list);
        add(Methods.LIST_RESOURCE_TEMPLATES, resources::listTemplates);
        add(Methods.READ_RESOURCE, resources::read);
        add(Methods.SUBSCRIBE, resources::subscribe);
        add(Methods.UNSUBSCRIBE, resources::unsubscribe);
        add(Methods.LIST_PROMPTS, prompts::list);
        add(Methods.GET_PROMPT, prompts::get);
        add(Methods.COMPLETE, prompts::complete);
        add(
                Methods.SET_LEVEL,
                (params, call) -> {
                    call.session().announcements().setLevel(params.level());
                    return EmptyResult.EMPTY;
                });
        add(Methods.GET_TASK, (params, call) -> tasks(call).get(call.owner(), params));
        add(
                Methods.GET_TASK_PAYLOAD,
                (params, call) -> {
                    call.withoutLimit();
                    return tasks(call).result(call.owner(), params, call.request());
                });
        add(Methods.LIST_TASKS, (params, call) -> tasks(call).list(call.owner(), params));
        add(Methods.CANCEL_TASK, (params, call) -> tasks(call).cancel(call.owner(), params));
    }

    private static SessionTasks tasks(ServerCall call) {
        SessionTasks tasks = call.session().tasks();
        if (tasks == null) {
            throw JsonRpcException.methodNotFound(call.method());
        }
        return tasks;
    }

    /** Has all methods of features answered by a delegate. */
    MethodTable(Delegate delegate) {
        add(
                Methods.LIST_TOOLS,
                (params, call) -> ToolMethods.withoutTasks(delegate.listTools(params, call)));
        add(Methods.CALL_TOOL, delegate::callTool);
        add(Methods.LIST_RESOURCES, delegate::listResources);
        add(Methods.LIST_RESOURCE_TEMPLATES, delegate::listResourceTemplates);
        add(Methods.READ_RESOURCE, delegate::readResource);
        add(
                Methods.SUBSCRIBE,
                (params, call) -> {
                    subscribe(delegate, params.uri(), call);
                    return EmptyResult.EMPTY;
                });
        add(
                Methods.UNSUBSCRIBE,
                (params, call) -> {
                    call.session().announcements().unsubscribe(params.uri());
                    delegate.unsubscribe(params.uri(), call);
                    return EmptyResult.EMPTY;
                });
        add(Methods.LIST_PROMPTS, delegate::listPrompts);
        add(Methods.GET_PROMPT, delegate::getPrompt);
        add(Methods.COMPLETE, delegate::complete);
        add(
                Methods.SET_LEVEL,
                (params, call) -> {
                    call.session().announcements().setLevel(params.level());
                    delegate.setLoggingLevel(params.level(), call);
                    return EmptyResult.EMPTY;
                });
    }

    private static void subscribe(Delegate delegate, String uri, ServerCall call) throws Exception {
        Announcements announcements = call.session().announcements();
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

    private <P extends RequestParams, R extends Result> void add(
            Method<P, R> method, Body<P, R> body) {
        routes.put(method.name(), new Protocol<>(method, body));
    }

    /** The way to a method of the protocol or of the author's own; null where there is none. */
    @Nullable Route<?, ?> find(ServerCall call, FeatureSet features) {
        Route<?, ?> route = routes.get(call.method());
        if (route != null) {
            return route;
        }
        ServerMethod own = features.methods().find(call.method());
        return own == null || !own.isVisibleTo(call.caller()) ? null : new Own(own);
    }

    /** Answers a call, through the interceptors if there are any. */
    RawJson answer(ServerCall call, FeatureSet features) throws Exception {
        Route<?, ?> route = find(call, features);
        if (route == null) {
            throw JsonRpcException.methodNotFound(call.method());
        }
        ServerSettings settings = call.session().settings();
        if (settings.rateLimit() != null) {
            Caller caller = call.caller();
            Object key =
                    caller.isAnonymous()
                            ? call.session().key()
                            : List.of(caller.issuer(), caller.subject());
            settings.rateLimit().check(call.method(), key);
        }
        return settings.interceptors().isEmpty()
                ? route.answer(call)
                : route.answer(call, settings.interceptors());
    }
}
