package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.CallContext;
import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.protocol.CallToolRequest;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.ElicitAction;
import dev.fairlead.protocol.ElicitUrlRequest;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.RequestParams;
import dev.fairlead.protocol.Result;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.UrlElicitationRequiredException;
import dev.fairlead.tasks.requestor.RemoteTask;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The way of a request to the server: first the pages that must be visited, then the interceptors,
 * then a session, and a new one where that is forgotten.
 */
final class Outbound {
    private final ClientConnection connection;
    private final UrlElicitations visits;

    Outbound(ClientConnection connection, UrlElicitations visits) {
        this.connection = connection;
        this.visits = visits;
    }

    /** A request that only needs a session to be sent on. */
    @FunctionalInterface
    interface Sending<R> {
        R on(SessionWithServer session) throws InterruptedException;
    }

    /** Sends a request of the protocol. */
    <P extends RequestParams, R extends Result> R call(
            Method<P, R> method, P params, CallOptions options) throws InterruptedException {
        return visiting(options, () -> once(method, params, options));
    }

    /** Sends a request of the protocol; pages that must be visited are the caller's business. */
    <P extends RequestParams, R extends Result> R once(
            Method<P, R> method, P params, CallOptions options) throws InterruptedException {
        return intercepted(
                method.name(),
                params,
                method.params(),
                method.result(),
                sent -> session -> session.call(method, sent, options));
    }

    /** Sends any request as it is. */
    JsonObject callRaw(String method, JsonObject params, CallOptions options)
            throws InterruptedException {
        return visiting(
                options,
                () ->
                        intercepted(
                                method,
                                params,
                                JsonObject.class,
                                JsonObject.class,
                                sent -> session -> session.callRaw(method, sent, options)));
    }

    /** Makes the sending of a request out of what the interceptors left of its parameters. */
    @FunctionalInterface
    private interface Request<P, R> {
        Sending<R> with(P params);
    }

    private <P, R> R intercepted(
            String name, P params, Class<P> in, Class<R> out, Request<P, R> request)
            throws InterruptedException {
        SessionWithServer session = connection.session();
        MethodCall call = seen(session, name, params);
        return InterceptorChain.result(
                name,
                InterceptorChain.runUnchecked(
                        connection.settings().outbound,
                        call,
                        out,
                        seen ->
                                Outcome.complete(
                                        send(session, request.with(in.cast(seen.params()))))));
    }

    private static MethodCall seen(SessionWithServer session, String name, Object params) {
        Optional<SessionInfo> info = session.info();
        CallContext context = CallContext.outbound(info, info.map(SessionInfo::revision));
        return new InterceptedCall(name, params, false, context);
    }

    /** Starts a task by a call that only needs a session to be sent on. */
    @FunctionalInterface
    interface Starting {
        RemoteTask on(SessionWithServer session, CallToolRequest request)
                throws InterruptedException;
    }

    /**
     * Starts a task; the pages that must be visited first are the caller's business. A task that an
     * interceptor keeps from the caller is cancelled.
     */
    StartedTool start(CallToolRequest request, Starting starting) throws InterruptedException {
        SessionWithServer session = connection.session();
        String name = Methods.CALL_TOOL.name();
        List<RemoteTask> kept = new CopyOnWriteArrayList<>(); // from the caller, so far
        try {
            Outcome<CallToolResult> outcome =
                    InterceptorChain.runUnchecked(
                            connection.settings().outbound,
                            seen(session, name, request),
                            CallToolResult.class,
                            call -> {
                                RemoteTask task =
                                        starting.on(session, (CallToolRequest) call.params());
                                kept.add(task);
                                return connection.tasks().outcome(task);
                            });
            return switch (outcome) {
                case Outcome.Complete<CallToolResult> complete ->
                        new StartedTool.Answered(complete.result());
                case Outcome.TaskCreated<CallToolResult> created ->
                        new StartedTool.Running(handedOut(created.task(), kept), created.task());
            };
        } finally {
            kept.forEach(RemoteTask::abandon);
        }
    }

    /** The task that the caller is told of. */
    private RemoteTask handedOut(CreateTaskResult created, List<RemoteTask> kept) {
        TaskId id = created.task().id();
        for (RemoteTask task : kept) {
            if (task.id().equals(Optional.of(id))) {
                kept.remove(task);
                return task;
            }
        }
        return connection.tasks().resume(id);
    }

    /**
     * Sends on this session; on a new one, once, if the server refused because it has forgotten
     * this one.
     */
    <R> R send(SessionWithServer session, Sending<R> sending) throws InterruptedException {
        try {
            return sending.on(session);
        } catch (SessionExpiredException e) {
            return sending.on(connection.renew(session, e));
        }
    }

    /** What is asked of the server. */
    @FunctionalInterface
    interface Asking<R> {
        R ask() throws InterruptedException;
    }

    /**
     * Asks; and once more, where the options say so, when the pages that the server wants to be
     * visited are.
     */
    <R> R visiting(CallOptions options, Asking<R> asking) throws InterruptedException {
        try {
            return typed(asking);
        } catch (UrlElicitationRequiredException required) {
            Duration wait = options.urlElicitation();
            if (wait == null) { // the caller leads there, and may want to hear when it is done
                required.elicitations().forEach(page -> visits.open(page.elicitationId()));
                throw required;
            }
            if (!visit(required, wait)) {
                throw required;
            }
        }
        return typed(asking);
    }

    /**
     * Asks; an error that lists pages to visit, or scopes, comes as the exception that has them.
     */
    static <R> R typed(Asking<R> asking) throws InterruptedException {
        try {
            return asking.ask();
        } catch (JsonRpcException e) {
            throw UrlElicitationRequiredException.of(e)
                    .<JsonRpcException>map(pages -> pages)
                    .or(() -> InsufficientScopeException.of(e))
                    .orElse(e);
        }
    }

    private boolean visit(UrlElicitationRequiredException required, Duration wait)
            throws InterruptedException {
        ElicitUrlHandler handler = connection.settings().onElicitUrl;
        if (handler == null) {
            return false;
        }
        Elicitation elicitation =
                new Elicitation(
                        () -> connection.known().server().serverInfo(),
                        connection.settings(),
                        visits);
        for (ElicitUrlRequest page : required.elicitations()) {
            if (!consents(elicitation, page, handler, required)) {
                return false;
            }
        }
        return visits.await(
                required.elicitations().stream().map(ElicitUrlRequest::elicitationId).toList(),
                wait);
    }

    private static boolean consents(
            Elicitation elicitation,
            ElicitUrlRequest page,
            ElicitUrlHandler handler,
            UrlElicitationRequiredException required)
            throws InterruptedException {
        try {
            return elicitation.consent(page, handler) == ElicitAction.ACCEPT;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // of the user's handler; who called gets to know
            required.addSuppressed(e);
            return false;
        }
    }
}
