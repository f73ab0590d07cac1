package dev.fairlead.server.session;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.peer.KeepAlive;
import dev.fairlead.peer.PeerSession;
import dev.fairlead.peer.SessionTasks;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.RequestOrigin;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.ConnectionHandler;
import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.engine.PeerError;
import dev.fairlead.protocol.engine.PreparedRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.versioning.RequestMeta;
import dev.fairlead.server.call.RequestContext;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.call.ServerContext;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.call.SessionChannel;
import dev.fairlead.server.call.SessionView;
import dev.fairlead.server.call.ToolTarget;
import dev.fairlead.server.features.RequestTarget;
import dev.fairlead.server.features.ServerNotification;
import dev.fairlead.server.lifecycle.Handshake;
import dev.fairlead.server.lifecycle.KeptBytes;
import dev.fairlead.server.lifecycle.NegotiatedSession;
import dev.fairlead.server.notifications.Announcements;
import dev.fairlead.server.requests.ClientRequest;
import dev.fairlead.server.requests.ClientTasks;
import dev.fairlead.server.subscriptions.CloseActions;
import dev.fairlead.server.tasks.RequestingClient;
import dev.fairlead.tasks.receiver.TaskReceiver;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The session with one client: the result of the negotiation, its subscriptions, and the way of
 * each request to the code that answers it.
 */
final class ServerSession implements Session, ConnectionHandler, SessionChannel {
    private static final System.Logger LOGGER = System.getLogger(ServerSession.class.getName());

    /** Ids of requests begin so far apart in each process that has the session. */
    private static final long REQUESTS_OF_A_PROCESS = 1L << 32;

    private final ServerCore core;
    private final SessionContext context;
    private final PeerSession<NegotiatedSession> peer;
    private final KeptBytes.Share kept;
    private final Handshake handshake;
    private final Announcements announcements;
    private final KeepAlive keepAlive;
    private final @Nullable SessionTasks tasks;
    private final ClientTasks clientTasks;

    /** Whether {@code notifications/initialized} was handled; for the handling of notifications. */
    private boolean begun;

    ServerSession(ServerCore core, SessionContext context) {
        this(core, context, 0);
    }

    /**
     * A session that may have begun in another process.
     *
     * @param restored how often it was restored
     */
    private ServerSession(ServerCore core, SessionContext context, int restored) {
        this.core = core;
        this.context = context;
        ServerSettings settings = core.settings();
        Connection connection =
                new Connection(
                        context,
                        this,
                        settings.connection,
                        core.timers(),
                        new AtomicLong(restored * REQUESTS_OF_A_PROCESS));
        this.peer =
                new PeerSession<>(
                        Side.SERVER, context, connection, settings.interceptors, core.timers());
        this.clientTasks = new ClientTasks(connection, settings.requestTimeout, core.timers());
        this.kept = core.keptBytes().share(context::makeRoom);
        this.handshake =
                new Handshake(
                        settings.implementation,
                        settings.instructions,
                        settings.revisions,
                        () -> core.served().capabilitiesFor(context),
                        context,
                        kept,
                        peer);
        this.announcements =
                new Announcements(
                        peer,
                        settings.maxSubscriptions,
                        settings.loggingLevel,
                        kept,
                        this::changed);
        TaskReceiver receiver = core.tasks();
        this.tasks = receiver == null ? null : tasksFrom(receiver);
        this.keepAlive = keepAlive(settings);
    }

    private KeepAlive keepAlive(ServerSettings settings) {
        return new KeepAlive(
                "client",
                settings.keepAlive,
                settings.keepAliveFailures,
                core.timers(),
                new Pings());
    }

    private SessionTasks tasksFrom(TaskReceiver receiver) {
        RequestingClient client =
                new RequestingClient(
                        this,
                        peer,
                        clientTasks,
                        context,
                        core.questionProgress(),
                        receiver.engine().limits().pollInterval());
        return new SessionTasks(receiver, client, !isStateless());
    }

    /** Continues a session that began in another process. */
    static ServerSession restored(
            ServerCore core, SessionContext context, SessionState state, int restored) {
        ServerSession session = new ServerSession(core, context, restored);
        try {
            session.kept.restore(
                    HeapSize.of(state.withoutSubscriptions().toJson())
                            + Announcements.weight(state.subscriptions()));
        } catch (JsonRpcException e) { // other sessions keep too much
            throw new IllegalStateException(e.getMessage(), e);
        }
        try {
            session.peer.negotiate(state.negotiated());
            session.announcements.restore(state.level(), state.subscriptions());
            if (state.initialized() && session.peer.ready()) {
                session.begin();
            }
        } catch (RuntimeException | Error e) {
            session.close();
            throw e;
        }
        return session;
    }

    /** The client is ready. */
    private void begin() {
        begun = true;
        announcements.open();
        keepAlive.start();
    }

    /**
     * Has the data kept that another process needs to continue the session, if it can continue
     * there.
     */
    private void changed() {
        if (!core.served().provider().hasMovableSessions()) {
            return;
        }
        try {
            context.changed(
                    () ->
                            SessionState.of(
                                            peer.negotiated().orElseThrow(),
                                            peer.isReady(),
                                            announcements)
                                    .toJson());
        } catch (EventStoreException e) {
            LimitedLog.failed(LOGGER, Level.WARNING, "", e, "A session could not be stored");
            throw RetryableError.exception(
                    ErrorCode.INTERNAL_ERROR, "The server cannot store sessions at the moment");
        }
    }

    // ---- called by features

    @Override
    public ServerContext server() {
        return core;
    }

    private ServerSettings settings() {
        return core.settings();
    }

    @Override
    public void notify(JsonRpcNotification notification) {
        peer.connection().notify(notification);
    }

    @Override
    public Object key() {
        return isStateless() ? context.peerKey() : this;
    }

    @Override
    public Object countedFor() {
        return context.countedFor();
    }

    @Override
    public @Nullable SessionTasks tasks() {
        return tasks;
    }

    @Override
    public Owner owner(Caller caller) {
        return Owner.of(caller, context.owner());
    }

    /** Returns whether tools can be called as tasks, by the capabilities and the revision. */
    private boolean takesTasks(NegotiatedSession agreed) {
        return tasks != null
                && declaredTasks(agreed)
                        .filter(declared -> declared.takes(Methods.CALL_TOOL.name()))
                        .isPresent();
    }

    private Optional<TasksCapability> declaredTasks(NegotiatedSession agreed) {
        ServerCapabilities declared = agreed.declared();
        return declared == null
                ? agreed.face().limit(core.served().capabilitiesFor(context)).tasks()
                : declared.tasks();
    }

    @Override
    public Optional<String> sessionName() {
        return context.logName();
    }

    @Override
    public String transport() {
        return context.transport();
    }

    @Override
    public boolean isStateless() {
        return context.assumedRevision().isPresent();
    }

    @Override
    public ClientCapabilities capabilities() {
        return peer.negotiated()
                .map(NegotiatedSession::capabilities)
                .orElse(ClientCapabilities.NONE);
    }

    @Override
    public Optional<SessionInfo> info() {
        return peer.info();
    }

    @Override
    public Announcements announcements() {
        return announcements;
    }

    /** Runs the action on a thread of its own. */
    @Override
    public void onClose(Runnable action) {
        peer.onClose(() -> CloseActions.start(action));
    }

    // ---- requests

    /**
     * Returns the metadata of a request about its client; null if it belongs to the session. The
     * body decides, also for a probe that states nothing: the older revisions do not have it.
     */
    private @Nullable RequestMeta perRequestMeta(JsonRpcRequest request) {
        boolean isAlwaysNew =
                request.method().equals(Methods.DISCOVER.name())
                        && !settings().revisions.haveSessions();
        return isAlwaysNew
                ? RequestMeta.read(request.params())
                : RequestMeta.readIfClaimed(request.params()).orElse(null);
    }

    @Override
    public void unmatched(RequestId id, JsonRpcMessage response, boolean own) {
        String name = own ? null : context.sharedName().orElse(null);
        NegotiatedSession agreed = peer.negotiated().orElse(null);
        core.unmatched()
                .take(
                        id,
                        name == null || agreed == null
                                ? null
                                : tasks ->
                                        tasks.answer(
                                                owner(context.caller()),
                                                RequestingClient.nameOf(name, id),
                                                agreed.face(),
                                                response));
    }

    @Override
    public PreparedRequest prepare(JsonRpcRequest request, Exchange exchange) {
        String method = request.method();
        RequestMeta meta = perRequestMeta(request);
        if (meta != null) {
            return core.perRequestCalls()
                    .prepare(request, meta, RequestOrigin.of(context), exchange);
        }
        if (!settings().revisions.haveSessions() && !method.equals(Methods.INITIALIZE.name())) {
            throw settings().revisions.refusal("");
        }
        if (method.equals(Methods.PING.name())) {
            return PreparedRequest.answered(RawJson.EMPTY_OBJECT);
        }
        if (method.equals(Methods.INITIALIZE.name())) {
            RawJson result = handshake.initialize(request.params());
            changed();
            return PreparedRequest.answered(result);
        }
        if (method.equals(Methods.DISCOVER.name())) {
            throw RequestMeta.unclaimed(method);
        }
        NegotiatedSession agreed = peer.negotiated().orElseThrow(this::notBegun);
        if (!offers(method, agreed)) {
            throw JsonRpcException.methodNotFound(method);
        }
        return RequestTarget.of(
                request, core.features(), core.methodPaces(), settings().ownThread, this::handle);
    }

    private JsonRpcException notBegun() {
        String request =
                settings().revisions.forRequest(Revision.V2026_07_28.date()).isEmpty()
                        ? ""
                        : "; a request without a session names its revision in _meta."
                                + MetaKey.PROTOCOL_VERSION;
        return JsonRpcException.invalidRequest("The session must begin with initialize" + request);
    }

    /**
     * Returns whether the revision has the method and the server its features, or it is one of the
     * author's own.
     */
    private boolean offers(String method, NegotiatedSession agreed) {
        if (agreed.face().method(method, Side.SERVER).isEmpty()) {
            return core.features().methods().find(method) != null;
        }
        if (method.startsWith("tasks/")) {
            return declaredTasks(agreed)
                    .filter(tasks -> TaskReceiver.serves(tasks, method))
                    .isPresent();
        }
        return core.served().offers(method)
                || (agreed.declared() != null && ServedFeatures.offers(method, agreed.declared()));
    }

    private RawJson handle(IncomingRequest request, @Nullable ToolTarget target) throws Exception {
        NegotiatedSession agreed = peer.negotiated().orElseThrow();
        RequestContext client = context(agreed, request.exchange().caller());
        try {
            return core.answer(new ServerCall(this, client, request, target, false));
        } catch (JsonRpcException e) {
            throw new JsonRpcException(agreed.face().error(PeerError.response(e)), e);
        }
    }

    private RequestContext context(NegotiatedSession agreed, Caller caller) {
        return new RequestContext(
                agreed.face(),
                caller,
                agreed.capabilities(),
                agreed.client(),
                takesTasks(agreed),
                announcements::wantsLog,
                null);
    }

    // ---- questions

    @Override
    public RawJson ask(ClientRequest<?> question, WireFace face, @Nullable Exchange exchange)
            throws InterruptedException {
        String method = question.method().name();
        // without a session the response of the client would reach nothing that waits for it
        if (isStateless() || (exchange != null && !exchange.isStreaming())) {
            throw new CapabilityException(
                    method,
                    method
                            + " cannot be asked here: the answer to this call is all that can be"
                            + " sent");
        }
        // refuses a question that the revision cannot express before anything waits
        question.written(face, null);
        peer.awaitReady(question.timeout());
        OutgoingRequest request =
                new OutgoingRequest(
                        method,
                        token -> question.written(face, token),
                        question.timeout(),
                        question.maximum(),
                        question.listener(),
                        exchange);
        return question.isTask()
                ? clientTasks.request(request, face)
                : peer.connection().request(request);
    }

    @Override
    public boolean progressed(ProgressToken token, @Nullable JsonObject meta, Progress progress) {
        return clientTasks.progressed(token, meta, progress);
    }

    @Override
    public Duration slowRequest() {
        return settings().slowRequest;
    }

    // ---- notifications

    /** Requests that follow {@code notifications/initialized} find the session ready. */
    @Override
    public void received(JsonRpcNotification notification) {
        if (notification.method().equals(Notifications.INITIALIZED.name())) {
            peer.ready();
        }
    }

    @Override
    public void handle(JsonRpcNotification notification, Exchange exchange) {
        if (notification.method().equals(Notifications.INITIALIZED.name())
                && !begun
                && peer.isReady()
                && !peer.isClosed()) {
            try {
                changed(); // before anything is sent that the client did not ask for
            } finally {
                begin();
                reachable();
            }
        }
        if (notification.method().equals(Notifications.TASK_STATUS.name())) {
            peer.negotiated()
                    .ifPresent(agreed -> clientTasks.status(agreed.face(), notification.params()));
        }
        if (notification.method().equals(Notifications.ROOTS_LIST_CHANGED.name())) {
            peer.negotiated()
                    .ifPresent(
                            agreed ->
                                    core.served()
                                            .provider()
                                            .rootsChanged(new SessionView(this, agreed.face())));
        }
        handleOwn(notification, exchange.caller());
    }

    /** Has the author's own notification handled, if there is a handler. */
    private void handleOwn(JsonRpcNotification notification, Caller caller) {
        ServerNotification own = core.features().notifications().find(notification.method());
        if (own == null) {
            LOGGER.log(Level.DEBUG, "No handler is registered for {0}", notification.method());
            return;
        }
        RawJson params = notification.params();
        try {
            Object input = own.input().read(params == null ? RawJson.EMPTY_OBJECT : params);
            own.handler().handle(input, caller);
        } catch (JsonBindingException | JsonException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "A malformed {0} is ignored: {1}",
                    notification.method(),
                    e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LimitedLog.failed(
                    LOGGER, Level.ERROR, "", e, "The handler of {0} failed", notification.method());
        }
    }

    // ---- the session as its transport sees it

    @Override
    public void accept(JsonRpcMessage message, Exchange exchange) {
        peer.connection().accept(message, exchange);
    }

    @Override
    public boolean hasSent(RequestId request) {
        return peer.connection().hasSent(request);
    }

    @Override
    public void inputEnded() {
        peer.connection().inputEnded();
    }

    @Override
    public void cancel(RequestId request, String reason) {
        peer.connection().cancel(request, reason);
    }

    @Override
    public void fail(RequestId request, CallException cause) {
        peer.connection().fail(request, cause);
    }

    @Override
    public void reachable() {
        if (tasks != null) {
            tasks.reachable();
        }
    }

    @Override
    public Optional<Implementation> client() {
        return peer.negotiated().flatMap(agreed -> Optional.ofNullable(agreed.client()));
    }

    @Override
    public long keptBytes() {
        return kept.bytes();
    }

    @Override
    public Optional<Revision> revision() {
        return peer.revision();
    }

    @Override
    public void close() {
        core.forget(this);
        keepAlive.stop();
        announcements.close();
        kept.close();
        peer.close(null);
        clientTasks.close();
        if (tasks != null) {
            tasks.closed();
        }
        if (!isStateless()) {
            core.served().provider().pipeEnded(context.peerKey());
        }
    }

    /** Pings the client, and ends its session when it does not answer. */
    private final class Pings implements KeepAlive.Ping {
        @Override
        public void send(Duration limit) throws InterruptedException {
            peer.ping(limit);
        }

        @Override
        public void lost(ConnectionException why) {
            peer.connection().lost(why);
            disconnect();
        }
    }

    /** Ends the session from this side. */
    void disconnect() {
        context.close();
    }
}
