package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.CallContext;
import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.protocol.ForeignAnswerException;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.tasks.requestor.RemoteTask;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/**
 * Sends requests to the server: runs the interceptors, then uses the session, or a new one if the
 * server no longer has it. Sends again after the user has visited the pages that the server
 * requires.
 */
final class RequestPipeline {
    private static final System.Logger LOGGER = System.getLogger(RequestPipeline.class.getName());

    /** The requests that change nothing, and can be sent again when their answer was lost. */
    private static final Set<Method<?, ?>> READING =
            Set.of(
                    Methods.DISCOVER,
                    Methods.LIST_TOOLS,
                    Methods.LIST_RESOURCES,
                    Methods.LIST_RESOURCE_TEMPLATES,
                    Methods.LIST_PROMPTS,
                    Methods.READ_RESOURCE,
                    Methods.GET_PROMPT,
                    Methods.COMPLETE,
                    Methods.GET_DETAILED_TASK);

    private static final Set<String> NAMES_OF_READING =
            READING.stream().map(Method::name).collect(Collectors.toUnmodifiableSet());

    private final ClientConnection connection;
    private final UrlElicitations visits;

    RequestPipeline(ClientConnection connection, UrlElicitations visits) {
        this.connection = connection;
        this.visits = visits;
    }

    /** Returns whether requests of this method change nothing. */
    static boolean reads(String method) {
        return NAMES_OF_READING.contains(method);
    }

    /** Sends a request of the protocol, also once more after pages were visited. */
    <P extends RequestParams, R extends Result> R call(
            Method<P, R> method, P params, CallOptions given) throws InterruptedException {
        CallOptions options = connection.begun(given);
        try {
            return send(method, params, options);
        } catch (UrlElicitationRequiredException required) {
            visit(required, options);
        }
        return send(method, params, options);
    }

    /** Makes sure that the server answers, by the request that its revision has for that. */
    void ping(CallOptions given) throws InterruptedException {
        CallOptions options = connection.begun(given);
        CallOptions asking = options.withCache(ResponseCache.Use.NONE);
        if (connection.session().isPerRequest()) {
            call(Methods.DISCOVER, EmptyParams.EMPTY, asking);
        } else {
            call(Methods.PING, EmptyParams.EMPTY, options);
        }
    }

    /**
     * Sends a request of the protocol without handling required pages.
     *
     * @param options of a call that has begun
     */
    <P extends RequestParams, R extends Result> R send(
            Method<P, R> method, P params, CallOptions options) throws InterruptedException {
        List<Interceptor> interceptors = connection.settings().outbound;
        try {
            SessionWithServer session = connection.session();
            if (interceptors.isEmpty()) {
                return send(session, method, params, options);
            }
            OutboundContext context = new OutboundContext(session);
            return InterceptorChain.result(
                    method.name(),
                    InterceptorChain.runUnchecked(
                            interceptors,
                            new InterceptedCall(method.name(), params, false, context),
                            method.result(),
                            call ->
                                    Outcome.complete(
                                            send(
                                                    session,
                                                    method,
                                                    method.params().cast(call.params()),
                                                    options.withRound(context::begin)))));
        } catch (JsonRpcException e) {
            throw typed(e);
        }
    }

    /** Sends one round of a request of the protocol, whose questions the caller gets. */
    <P extends RequestParams, R extends Result> Outcome<R> round(
            Method<P, R> method, P params, Round round, CallOptions given)
            throws InterruptedException {
        CallOptions options = connection.begun(given);
        try {
            SessionWithServer session = connection.session();
            OutboundContext context = new OutboundContext(session);
            context.begin(round.number() + 1);
            return InterceptorChain.runUnchecked(
                    connection.settings().outbound,
                    new InterceptedCall(method.name(), params, false, context),
                    method.result(),
                    call ->
                            round(
                                    session,
                                    method,
                                    method.params().cast(call.params()),
                                    round,
                                    options));
        } catch (JsonRpcException e) {
            throw typed(e);
        }
    }

    private <P extends RequestParams, R extends Result> Outcome<R> round(
            SessionWithServer session,
            Method<P, R> method,
            P params,
            Round round,
            CallOptions options)
            throws InterruptedException {
        return round.isFirst()
                ? on(
                        session,
                        READING.contains(method),
                        options,
                        usable -> usable.round(method, params, round, options))
                : session.round(method, params, round, options); // no other server can continue it
    }

    private <P extends RequestParams, R extends Result> R send(
            SessionWithServer session, Method<P, R> method, P params, CallOptions options)
            throws InterruptedException {
        try {
            return session.call(method, params, options);
        } catch (CallException e) {
            return usableAfter(session, READING.contains(method), options, e)
                    .call(method, params, options);
        }
    }

    /**
     * As {@link #recovered}, within the time of the call. A call in a later round than the first
     * does not begin again: people would be asked again, and no other server can continue it. It
     * fails, and the session is made usable for the next call.
     *
     * @param options of the call, which has begun
     */
    private SessionWithServer usableAfter(
            SessionWithServer session, boolean reads, CallOptions options, CallException failure)
            throws InterruptedException {
        OngoingCall call = options.ongoing();
        if (call.hasFailedHere()) {
            throw failure;
        }
        boolean begins = call.isInFirstRound();
        SessionWithServer usable = call.counted(() -> recovered(session, reads && begins, failure));
        if (!begins) {
            throw failure;
        }
        options.repeated();
        return usable;
    }

    /**
     * Returns where a request that failed is sent once more: a new session if the server has
     * forgotten this one.
     *
     * @param reads whether the request changes nothing, and can be sent once more when its answer
     *     was lost
     * @throws CallException the failure, if the request is not sent again
     */
    private SessionWithServer recovered(
            SessionWithServer session, boolean reads, CallException failure)
            throws InterruptedException {
        return switch (failure) {
            case SessionExpiredException e -> renewed(session, reads, e);
            case ForeignAnswerException e -> throw e;
            case JsonRpcException e -> throw replaced(session, e);
            case ConnectionException e -> afterLoss(session, reads, e);
            default -> throw failure;
        };
    }

    /**
     * Opens a new session for later requests if the server no longer speaks the agreed revision.
     *
     * @return the failure of this request, which is not sent again: the server may be another one
     */
    private JsonRpcException replaced(SessionWithServer session, JsonRpcException refusal)
            throws InterruptedException {
        if (refusal.code() != McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION) {
            return refusal;
        }
        String message =
                refusal.error().message()
                        + "; the server no longer speaks revision "
                        + session.face().revision().date()
                        + ", so the next request uses a new connection";
        JsonRpcError error = new JsonRpcError(refusal.code(), message, refusal.data());
        JsonRpcException failure = new JsonRpcException(error, refusal);
        try {
            connection.renew(session, new SessionExpiredException(message));
        } catch (CallException e) {
            failure.addSuppressed(e);
        }
        return refusal.answeredRequest().map(failure::answering).orElse(failure);
    }

    /** Returns the new session; the next request uses it where this one must not be sent again. */
    private SessionWithServer renewed(
            SessionWithServer session, boolean reads, SessionExpiredException expired)
            throws InterruptedException {
        SessionWithServer fresh = connection.renew(session, expired);
        if (expired.mayHaveRun() && !reads) {
            throw expired;
        }
        return fresh;
    }

    /**
     * Returns where a request whose answer was lost is sent once more: the same server, over HTTP.
     *
     * @throws ConnectionException the loss, if the request must not be sent again
     */
    private SessionWithServer afterLoss(
            SessionWithServer session, boolean reads, ConnectionException loss)
            throws InterruptedException {
        if (!reads || !session.isPerRequest() || session.hasEnded()) {
            throw loss;
        }
        LOGGER.log(
                Level.DEBUG,
                "A request is sent once more: {0}",
                Printable.excerpt(loss.getMessage()));
        return session;
    }

    /** Sends any request as it is, also once more after pages were visited. */
    JsonObject callRaw(String method, JsonObject params, CallOptions given)
            throws InterruptedException {
        CallOptions options = connection.begun(given);
        try {
            return sendRaw(method, params, options);
        } catch (UrlElicitationRequiredException required) {
            visit(required, options);
        }
        return sendRaw(method, params, options);
    }

    private JsonObject sendRaw(String method, JsonObject params, CallOptions options)
            throws InterruptedException {
        try {
            SessionWithServer session = connection.session();
            OutboundContext context = new OutboundContext(session);
            return InterceptorChain.result(
                    method,
                    InterceptorChain.runUnchecked(
                            connection.settings().outbound,
                            new InterceptedCall(method, params, false, context),
                            JsonObject.class,
                            call ->
                                    Outcome.complete(
                                            on(
                                                    session,
                                                    reads(method),
                                                    options,
                                                    usable ->
                                                            usable.callRaw(
                                                                    method,
                                                                    (JsonObject) call.params(),
                                                                    options.withRound(
                                                                            context::begin))))));
        } catch (JsonRpcException e) {
            throw typed(e);
        }
    }

    /** A request that only needs a session to be sent on. */
    @FunctionalInterface
    interface Sending<R> {
        R on(SessionWithServer session) throws InterruptedException;
    }

    /**
     * Sends on this session, or on a new one if the server has forgotten this one or turns out to
     * be of another kind.
     *
     * @param reads whether the request changes nothing
     * @param options of the call, which has begun
     */
    <R> R on(SessionWithServer session, boolean reads, CallOptions options, Sending<R> sending)
            throws InterruptedException {
        try {
            return sending.on(session);
        } catch (CallException e) {
            return sending.on(usableAfter(session, reads, options, e));
        }
    }

    /** What is known of a request to the server. Its round changes while it lasts. */
    private static final class OutboundContext implements CallContext {
        private final String transport;
        private final Optional<SessionInfo> session;
        private final Optional<Revision> revision;
        private volatile int round = 1;

        OutboundContext(SessionWithServer session) {
            this.transport = session.transport();
            this.session = session.info();
            this.revision = session.revision();
        }

        void begin(int number) {
            round = number;
        }

        @Override
        public Optional<SessionInfo> session() {
            return session;
        }

        @Override
        public Optional<String> transport() {
            return Optional.of(transport);
        }

        @Override
        public Optional<Revision> revision() {
            return revision;
        }

        @Override
        public int round() {
            return round;
        }
    }

    /** Starts a task by a call that only needs a session to be sent on. */
    @FunctionalInterface
    interface Starting {
        /**
         * Sends the call.
         *
         * @param round is given the number of each round that begins
         */
        RemoteTask on(SessionWithServer session, CallToolRequest request, IntConsumer round)
                throws InterruptedException;
    }

    /**
     * Starts a task; the pages that must be visited first are the caller's business. A task that an
     * interceptor keeps from the caller is cancelled.
     */
    StartedTool start(CallToolRequest request, Starting starting) throws InterruptedException {
        String name = Methods.CALL_TOOL.name();
        List<RemoteTask> kept = new CopyOnWriteArrayList<>(); // from the caller, so far
        SessionWithServer session = connection.session();
        try {
            OutboundContext context = new OutboundContext(session);
            Outcome<CallToolResult> outcome =
                    InterceptorChain.runUnchecked(
                            connection.settings().outbound,
                            new InterceptedCall(name, request, false, context),
                            CallToolResult.class,
                            call -> {
                                RemoteTask task =
                                        starting.on(
                                                session,
                                                (CallToolRequest) call.params(),
                                                context::begin);
                                kept.add(task);
                                return connection.tasks().outcome(task);
                            });
            return switch (outcome) {
                case Outcome.Complete<CallToolResult> complete ->
                        new StartedTool.Answered(complete.result());
                case Outcome.TaskCreated<CallToolResult> created ->
                        new StartedTool.Running(handedOut(created.task(), kept), created.task());
                case Outcome.InputRequired<CallToolResult> required ->
                        throw new InvalidResultException(
                                name + " was answered with questions", null);
            };
        } catch (JsonRpcException e) {
            throw typed(e);
        } finally {
            kept.forEach(RemoteTask::abandon);
        }
    }

    /** The task that the caller receives. */
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

    /** Returns the exception class that carries the pages or scopes that an error lists. */
    static JsonRpcException typed(JsonRpcException error) {
        if (error instanceof UrlElicitationRequiredException
                || error instanceof InsufficientScopeException) {
            return error;
        }
        return UrlElicitationRequiredException.of(error)
                .<JsonRpcException>map(pages -> pages)
                .or(() -> InsufficientScopeException.of(error))
                .map(found -> error.answeredRequest().map(found::answering).orElse(found))
                .orElse(error);
    }

    /**
     * Asks the user to visit the pages that the server requires before the request.
     *
     * @param options of the call, which has begun
     * @throws UrlElicitationRequiredException the one given, where the options do not ask for that,
     *     the person does not consent, or it is not of the server
     */
    void visit(UrlElicitationRequiredException required, CallOptions options)
            throws InterruptedException {
        if (options.ongoing().hasFailedHere()) {
            throw required;
        }
        Duration wait = options.urlElicitation();
        if (wait == null) { // the caller shows the pages and may have a listener for their
            // completion
            required.elicitations().forEach(page -> visits.open(page.elicitationId()));
            throw required;
        }
        if (!isVisited(required, wait)) {
            throw required;
        }
    }

    private boolean isVisited(UrlElicitationRequiredException required, Duration wait)
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
        Set<String> ids =
                required.elicitations().stream()
                        .map(ElicitUrlRequest::elicitationId)
                        .collect(Collectors.toUnmodifiableSet());
        visits.expect(ids);
        try {
            for (ElicitUrlRequest page : required.elicitations()) {
                if (!consents(elicitation, page, handler, required)) {
                    return false;
                }
            }
            return visits.await(ids, wait);
        } finally {
            visits.expectNoMore(ids);
        }
    }

    private static boolean consents(
            Elicitation elicitation,
            ElicitUrlRequest page,
            ElicitUrlHandler handler,
            UrlElicitationRequiredException required)
            throws InterruptedException {
        try {
            return elicitation.consent(page, handler) instanceof Answer.Accepted;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // of the user's handler; reported to the caller
            required.addSuppressed(e);
            return false;
        }
    }
}
