package dev.fairlead.gateway;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitAction;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.roots.ListRootsResult;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.tasks.RelatedTask;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.server.call.HoldCallException;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;

/**
 * Passes requests through the gateway, for one connection to a server: calls to it are noted, and
 * its questions meanwhile are sent to the client behind the gateway that called. Tasks are between
 * the gateway and the server: the client knows none that a question could belong to.
 *
 * @param held sends a call that may be asked on a connection of its own, where another has this
 *     one; null where only one call uses this one
 */
record Crossing(
        String server,
        Downstream client,
        CallsUnderWay underWay,
        CallsUnderWay.Log log,
        @Nullable Held held) {
    private static final System.Logger LOGGER = System.getLogger(Crossing.class.getName());

    /** Another way to the server, for a call whose thread waits while its client is asked. */
    @FunctionalInterface
    interface Held {
        /**
         * @return null if this connection has become free, and the call has it now
         */
        @Nullable Result send(String server, Call call, MethodCall method)
                throws InterruptedException;
    }

    // ---- requests to the server

    /** A request to the server. */
    Outcome<?> send(MethodCall method, Interceptor.Next next) throws Exception {
        Call call = underWay.enter(server);
        PassedRound round = call == null ? PassedRound.FIRST : PassedRound.of(call.retry());
        try {
            if (round.isOfOtherThan(server)) { // whose state no other server gets
                throw UpstreamException.otherServer(Objects.requireNonNull(round.server()));
            }
            Outcome<?> outcome =
                    call != null && round.server() == null && isHeld(method, call)
                            ? sendHeld(method, call, next)
                            : next.proceed(method);
            if (outcome instanceof Outcome.TaskCreated) {
                underWay.stay(server, log);
            }
            awaitLog(call);
            return outcome;
        } catch (JsonRpcException e) {
            if (round.server() == null && mustBeHeld(call, e)) {
                throw new HoldCallException();
            }
            awaitLog(call);
            throw round.isOf(server) && UpstreamException.refusesRetry(e)
                    ? UpstreamException.refusedRetry(server, e)
                    : e;
        } catch (ConnectionException e) { // the group names a server that is gone
            throw call != null && isMalformed(e) ? new UpstreamException(server, e) : e;
        } catch (CapabilityException e) { // names the server
            throw e;
        } catch (CallException e) {
            throw call == null ? e : new UpstreamException(server, e);
        } finally {
            underWay.leave(server, call);
        }
    }

    /** Returns whether the server is there, but its answer is not a message. */
    private static boolean isMalformed(ConnectionException failure) {
        Throwable cause = failure.getCause();
        while (cause != null && !(cause instanceof MalformedMessageException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    /**
     * Passes a call on; the questions of the server on this connection belong to the only held call
     * there.
     */
    private Outcome<?> sendHeld(MethodCall method, Call call, Interceptor.Next next)
            throws Exception {
        if (!underWay.hold(server, call)) {
            underWay.leave(server, call); // the log messages here do not belong to this call
            Result result =
                    Objects.requireNonNull(held, "a lease has one call").send(server, call, method);
            if (result != null) {
                return Outcome.complete(result);
            }
            underWay.enter(server);
        }
        Outcome<?> outcome = null;
        JsonRpcException refusal = null;
        int questions;
        try {
            outcome = next.proceed(method);
        } catch (JsonRpcException e) {
            refusal = e;
        } finally {
            questions =
                    outcome instanceof Outcome.TaskCreated
                            ? underWay.holdToTheEnd(server)
                            : underWay.release(server);
        }
        if (questions > PassedRound.MAX) { // for any answer of the server to the refusal
            throw UpstreamException.tooManyRounds(server);
        }
        if (refusal != null) {
            throw refusal;
        }
        return Objects.requireNonNull(outcome, "there is an outcome or a refusal");
    }

    /**
     * Returns whether the server may ask beside its answer: by requests, or in a task if it is of
     * revision 2026-07-28.
     */
    private boolean isHeld(MethodCall method, Call call) {
        boolean mayAsk =
                switch (method.params()) {
                    case CallToolRequest tool -> true;
                    case GetPromptRequest prompt -> hasHandshake(method);
                    case ReadResourceRequest resource -> hasHandshake(method);
                    default -> false;
                };
        return mayAsk && client.session() == null && client.canBeAsked() && !call.startsAgain();
    }

    private static boolean hasHandshake(MethodCall method) {
        return method.revision().filter(known -> known.era() == Era.HANDSHAKE).isPresent();
    }

    /**
     * Returns whether a server of revision 2026-07-28 answers a call only by a task, which may ask.
     */
    private boolean mustBeHeld(@Nullable Call call, JsonRpcException refusal) {
        return call != null
                && call.startsAgain()
                && client.canBeAsked()
                && TasksExtension.isMissingIn(refusal);
    }

    /** The answer ends the call, with which the log messages before it go out. */
    private void awaitLog(@Nullable Call call) throws InterruptedException {
        if (call != null) {
            log.await(server);
        }
    }

    // ---- questions and reports of the server

    /**
     * Declares the capabilities of the client behind the gateway, which answers, and passes the
     * server's reports on. Options of the user come after it.
     */
    void declare(McpClient.Builder builder) {
        ClientCapabilities able = client.capabilities();
        if (able.roots()) {
            builder.onRoots(List::of);
        }
        if (able.sampling()) {
            builder.onSample(
                    request -> {
                        throw new IllegalStateException("the client behind the gateway is asked");
                    });
        }
        if (able.elicitationForm()) {
            builder.onElicitForm(form -> Answer.cancel());
        }
        if (able.elicitationUrl()) {
            builder.onElicitUrl(link -> Answer.accept());
        }
        builder.onLog(entry -> underWay.log(server, entry.level(), entry.logger(), entry.data()));
        ClientSession session = client.session();
        if (session != null) {
            builder.onElicitationComplete(id -> complete(session, id));
        }
    }

    private static void complete(ClientSession session, String id) {
        String method = Notifications.ELICITATION_COMPLETE.name();
        try {
            session.notify(method, JsonObject.of("elicitationId", id));
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "{0} was not delivered: {1}", method, e.getMessage());
        }
    }

    /**
     * Intercepts requests here, and sends the questions of the server to the client, with nothing
     * lost.
     */
    void intercept(McpClient.Builder builder) {
        builder.allowInvalidStructuredContent().intercept(this::send);
        ClientCapabilities able = client.capabilities();
        if (able.samplingTools()) {
            builder.sampleTools();
        }
        if (able.samplingContext()) {
            builder.sampleContext();
        }
        if (able.experimental() != null) {
            able.experimental()
                    .members()
                    .forEach(
                            (name, value) -> {
                                if (value instanceof JsonObject object) {
                                    builder.experimental(name, object);
                                }
                            });
        }
        builder.interceptInbound(this::answer);
    }

    private Outcome<?> answer(MethodCall method, Interceptor.Next next) throws Exception {
        try {
            return switch (method.params()) {
                case ElicitFormRequest form ->
                        Outcome.complete(
                                underWay.asking(server)
                                        .elicit(form.withMeta(RelatedTask.remove(form.meta()))));
                case ElicitUrlRequest page -> visit(page, method, next);
                case CreateMessageRequest request ->
                        Outcome.complete(
                                underWay.asking(server)
                                        .sample(
                                                request.withMeta(
                                                        RelatedTask.remove(request.meta()))));
                default ->
                        method.name().equals(Methods.LIST_ROOTS.name())
                                ? Outcome.complete(new ListRootsResult(roots()))
                                : next.proceed(method);
            };
        } catch (JsonRpcException e) { // also the error of the client
            throw e.passedOn();
        } catch (CallException e) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR,
                    "The client behind the gateway gave no answer: " + e.getMessage());
        } catch (IllegalArgumentException e) { // the question is against the protocol
            throw JsonRpcException.invalidParams(String.valueOf(e.getMessage()));
        }
    }

    private List<Root> roots() throws InterruptedException {
        return underWay.asking(server).roots();
    }

    /**
     * Passes the request on; after consent, this side proceeds as if it had consented itself, and
     * so is notified of completion.
     */
    private Outcome<?> visit(ElicitUrlRequest page, MethodCall method, Interceptor.Next next)
            throws Exception {
        ElicitResult result =
                underWay.asking(server).elicit(page.withMeta(RelatedTask.remove(page.meta())));
        if (result.action() == ElicitAction.ACCEPT) {
            next.proceed(method);
        }
        return Outcome.complete(result);
    }
}
