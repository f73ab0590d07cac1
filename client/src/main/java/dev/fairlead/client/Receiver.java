package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.ClientCapabilities;
import dev.fairlead.protocol.EmptyParams;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.ListRootsResult;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Progress;
import dev.fairlead.protocol.ProgressToken;
import dev.fairlead.protocol.RelatedTask;
import dev.fairlead.protocol.RequestParams;
import dev.fairlead.protocol.Result;
import dev.fairlead.protocol.Root;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.engine.ConnectionHandler;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.tasks.requestor.RemoteTasks;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Supplier;

/** What a client does with the requests and notifications of one session. */
final class Receiver implements ConnectionHandler {
    private final ServerSession session;
    private final ClientSettings settings;
    private final Supplier<List<Root>> roots;
    private final Notices notices;
    private final RemoteTasks tasks;
    private final Elicitation elicitation;
    private final Sampling sampling;

    Receiver(
            ServerSession session,
            ClientSettings settings,
            Supplier<List<Root>> roots,
            Notices notices,
            RemoteTasks tasks,
            UrlElicitations visits) {
        this.session = session;
        this.settings = settings;
        this.roots = roots;
        this.notices = notices;
        this.tasks = tasks;
        this.elicitation = new Elicitation(session, settings, visits);
        this.sampling = new Sampling(settings);
    }

    @Override
    public @Nullable RawJson handleAtOnce(JsonRpcRequest request, Exchange exchange) {
        if (request.method().equals(Methods.PING.name())) {
            return RawJson.EMPTY_OBJECT; // in every phase (PING-006)
        }
        if (session.revision().isEmpty()) {
            throw JsonRpcException.invalidRequest("The session is not initialized yet");
        }
        if (!isServed(request.method())) {
            throw JsonRpcException.methodNotFound(request.method());
        }
        return null;
    }

    /**
     * Whether a method is of the revision and of a capability that was declared, or the user's own
     * (ERR-005, VERS-012).
     */
    private boolean isServed(String name) {
        Method<?, ?> method = session.face().method(name, Side.CLIENT).orElse(null);
        if (method == null) {
            return settings.onRequest.containsKey(name);
        }
        ClientCapabilities declared = settings.capabilities();
        return (method.equals(Methods.LIST_ROOTS) && declared.roots())
                || (method.equals(Methods.CREATE_MESSAGE) && declared.sampling())
                || (method.equals(Methods.ELICIT) && declared.elicitation());
    }

    @Override
    public boolean isWaitedForWhileItAnswers() {
        return true;
    }

    @Override
    public boolean progressed(ProgressToken token, @Nullable JsonObject meta, Progress progress) {
        return tasks.progressed(token, meta, progress);
    }

    @Override
    public RawJson handle(IncomingRequest request) throws Exception {
        return switch (request.method()) {
            case "roots/list" -> answer(Methods.LIST_ROOTS, request, this::listRoots);
            case "sampling/createMessage" ->
                    answer(Methods.CREATE_MESSAGE, request, sampling::sample);
            case "elicitation/create" -> answer(Methods.ELICIT, request, elicitation::elicit);
            default -> answerOwn(request);
        };
    }

    /** What answers a method. */
    @FunctionalInterface
    private interface Body<P, R> {
        R answer(P params) throws Exception;
    }

    private <P extends RequestParams, R extends Result> RawJson answer(
            Method<P, R> method, IncomingRequest request, Body<P, R> body) throws Exception {
        WireFace face = session.face();
        P params = face.readParams(method, request.params()).params();
        R result = intercepted(request, params, method.params(), method.result(), body);
        return face.writeResult(method, method.result().cast(related(params, result)));
    }

    /** The answer to a question of a task belongs to that task as well (TASK-063, TASK-064). */
    private static Result related(RequestParams params, Result result) {
        return RelatedTask.of(params.meta())
                .<Result>map(task -> result.withMeta(RelatedTask.add(result.meta(), task)))
                .orElse(result);
    }

    private <P, R> R intercepted(
            IncomingRequest request, P params, Class<P> in, Class<R> out, Body<P, R> body)
            throws Exception {
        Interceptors.Seen seen =
                new Interceptors.Seen(
                        request.method(),
                        in,
                        params,
                        true,
                        request.exchange().caller(),
                        session.revision());
        return Interceptors.result(
                seen,
                Interceptors.run(
                        settings.inbound,
                        seen,
                        out,
                        call -> Outcome.complete(body.answer(in.cast(call.params())))));
    }

    private RawJson answerOwn(IncomingRequest request) throws Exception {
        RequestHandler handler = settings.onRequest.get(request.method());
        if (handler == null) {
            throw JsonRpcException.methodNotFound(request.method());
        }
        RawJson raw = request.params();
        JsonObject params = raw == null ? JsonObject.EMPTY : (JsonObject) raw.value();
        return RawJson.of(
                intercepted(request, params, JsonObject.class, JsonObject.class, handler::handle));
    }

    private ListRootsResult listRoots(EmptyParams none) throws Exception {
        RootsHandler handler = settings.onRoots;
        return new ListRootsResult(handler == null ? roots.get() : Roots.checked(handler.roots()));
    }

    @Override
    public void handle(JsonRpcNotification notification, Exchange exchange) {
        // log messages may come before the handshake is over (LIFE-006)
        notices.handle(notification, HandshakeFace.of(session.revision().orElse(settings.newest)));
    }
}
