package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.peer.PeerSession;
import dev.fairlead.peer.PeerTasks;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.NotificationParams;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.ConnectionLimits;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.InitializeResult;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** One session with the server, from the handshake to its end. */
final class SessionWithServer implements Session {
    private static final String META = "_meta";

    private static final System.Logger LOGGER = System.getLogger(SessionWithServer.class.getName());

    private final ClientSettings settings;
    private final Connection connection;
    private final PeerSession<Agreed> peer;
    private final BiConsumer<SessionWithServer, SessionExpiredException> onExpired;
    private final BiConsumer<SessionWithServer, ConnectionException> onEnd;
    private final ClientConnection client;
    private final SessionContext context;
    private final Timers timers;
    private volatile @Nullable Link link;

    /** Null while there is a handshake, or nothing yet. */
    private volatile @Nullable SelfContainedCalls calls;

    private volatile boolean hasAnswered;

    /** Null while there is a handshake, or nothing yet. */
    private volatile @Nullable Listening listening;

    SessionWithServer(
            ClientConnection client,
            SessionContext context,
            Function<SessionWithServer, Receiver> receiver,
            BiConsumer<SessionWithServer, SessionExpiredException> onExpired,
            BiConsumer<SessionWithServer, ConnectionException> onEnd,
            Timers timers,
            AtomicLong lastRequestId) {
        this.client = client;
        this.settings = client.settings();
        this.context = context;
        this.timers = timers;
        this.onExpired = onExpired;
        this.onEnd = onEnd;
        Receiver handler = receiver.apply(this);
        this.connection =
                new Connection(context, handler, ConnectionLimits.DEFAULT, timers, lastRequestId);
        this.peer =
                new PeerSession<>(
                        Side.CLIENT, context, connection, settings.interceptors(), timers);
        peer.onClose(handler::close);
    }

    // ---- the beginning

    /**
     * Agrees with the server on a revision.
     *
     * @param expected the era that the server is known to speak; null if that is to be found out
     * @throws UnsupportedRevisionException if there is none that both speak; the caller then closes
     *     the connection
     */
    void agree(@Nullable Era expected) throws InterruptedException {
        begin(new Negotiation(settings, connection, context, timers).agree(expected));
    }

    private void answered() {
        if (!hasAnswered) { // mostly nothing is written, which other threads read
            hasAnswered = true;
        }
    }

    /** Whether the server has answered a request after the handshake. */
    boolean hasAnswered() {
        return hasAnswered;
    }

    private void begin(Agreed found) {
        Agreed agreed =
                new Agreed(
                        found.face().reporting(client.omissions(found.server().serverInfo())),
                        found.server());
        peer.negotiate(agreed);
        if (agreed.face() instanceof PerRequestFace face) {
            calls =
                    new SelfContainedCalls(
                            settings,
                            connection,
                            face,
                            client.inputs(),
                            client::level,
                            client.tools(),
                            (tool, seen, options) ->
                                    new Requests(client, options).learnAgain(tool, seen),
                            client.cache(),
                            context.hasHeaders(),
                            timers);
            listen(face);
            return;
        }
        peer.ready();
        notify(Notifications.INITIALIZED, EmptyParams.EMPTY);
    }

    private void listen(PerRequestFace face) {
        Listening stream =
                new Listening(
                        connection,
                        face,
                        tasks -> settings.requestMeta(face.revision(), client.level(), tasks),
                        () -> client.wantedChanges(server().capabilities()),
                        client::missedChanges,
                        client::changesGranted,
                        client.hasConnected(), // changes since then were missed
                        timers);
        listening = stream;
        peer.onClose(stream::close);
        if (wantsChanges()) {
            stream.changed();
        }
    }

    /** Whether this client wants changes of the server that come on a stream of their own. */
    boolean wantsChanges() {
        return listening != null
                && !client.wantedChanges(server().capabilities()).equals(new NotificationFilter());
    }

    /** Returns the stream of changes; empty in a session, which has no such stream. */
    Optional<Listening> listening() {
        return Optional.ofNullable(listening);
    }

    /** As {@link Receiver#received}. */
    void received(JsonRpcNotification notification) {
        Listening stream = listening;
        if (stream != null) {
            stream.received(notification);
        }
    }

    /** Whether a notification is to be handled: it belongs to no stream, or to one of this side. */
    boolean takes(JsonRpcNotification notification) {
        Listening stream = listening;
        return stream == null || stream.takes(notification);
    }

    /** Returns what was agreed on. */
    Agreed agreed() {
        return negotiated();
    }

    /** Whether requests say of themselves what the server must know. */
    boolean isPerRequest() {
        return calls != null;
    }

    /** Whether requests have headers, as over HTTP. */
    boolean hasHeaders() {
        return context.hasHeaders();
    }

    /** Whether arguments of tools are repeated in headers. */
    boolean repeatsArguments() {
        return isPerRequest() && hasHeaders();
    }

    // ---- while it lasts

    /** What the server said of itself. */
    InitializeResult server() {
        return negotiated().server();
    }

    /** How the revision agreed on says things. */
    WireFace face() {
        return negotiated().face();
    }

    private Agreed negotiated() {
        return peer.negotiated()
                .orElseThrow(() -> new IllegalStateException("the client has not connected yet"));
    }

    /**
     * Sends a request and waits for its result; see {@link ClientRequests} for how that may fail.
     */
    <P extends RequestParams, R extends Result> R call(
            Method<P, R> method, P params, CallOptions options) throws InterruptedException {
        WireFace agreed = face();
        ServerMethods.require(method, server().capabilities(), agreed);
        SelfContainedCalls selfContained = calls;
        if (selfContained != null) {
            boolean ofTasks = TasksExtension.CAPABILITY.equals(method.capability());
            Outcome<R> outcome = selfContained.call(method, params, options, ofTasks, false);
            answered();
            return switch (outcome) {
                case Outcome.Complete<R> complete -> complete.result();
                case Outcome<R> other -> throw new AssertionError("no task was allowed: " + other);
            };
        }
        RawJson result =
                options.begun(timers)
                        .ongoing()
                        .request(
                                connection,
                                outgoing(
                                        method.name(),
                                        token -> agreed.writeParams(method, params, token),
                                        options));
        answered();
        ListBytes list = options.list();
        if (list != null) {
            list.add(result);
        }
        return agreed.readResult(method, result);
    }

    /**
     * Sends one round of a request. In a session the request is sent to its end.
     *
     * @throws ConnectionException if a session cannot continue the request
     */
    <P extends RequestParams, R extends Result> Outcome<R> round(
            Method<P, R> method, P params, Round round, CallOptions options)
            throws InterruptedException {
        SelfContainedCalls selfContained = calls;
        if (selfContained == null) {
            requireFirst(method, round);
            return Outcome.complete(call(method, params, options));
        }
        ServerMethods.require(method, server().capabilities(), face());
        Outcome<R> outcome = selfContained.round(method, params, round, options);
        answered();
        return outcome;
    }

    private void requireFirst(Method<?, ?> method, Round round) {
        if (!round.isFirst()) {
            throw new ConnectionException(
                    method.name()
                            + ": the server speaks revision "
                            + face().revision().date()
                            + " now, which cannot continue the request");
        }
    }

    /** Makes sure that the server answers. */
    Result ping(CallOptions options) throws InterruptedException {
        return isPerRequest()
                ? call(
                        Methods.DISCOVER,
                        EmptyParams.EMPTY,
                        options.withCache(ResponseCache.Use.NONE))
                : call(Methods.PING, EmptyParams.EMPTY, options);
    }

    /** Whether a tool may be called as a task here. */
    boolean takesTaskCalls() {
        if (isPerRequest()) {
            return TasksExtension.isDeclaredBy(server().capabilities());
        }
        return face().has(Methods.GET_TASK)
                && server().capabilities()
                        .tasks()
                        .filter(tasks -> tasks.takes(Methods.CALL_TOOL.name()))
                        .isPresent();
    }

    /**
     * Calls a tool as a task, and waits for the answer up to the maximum, also where no caller
     * waits any more.
     *
     * @param token receives the token under which progress comes; null where there is no listener
     * @throws CapabilityException if the server did not declare that it takes such calls
     */
    Outcome<RawJson> callAsTask(
            CallToolRequest call, CallOptions options, @Nullable Consumer<ProgressToken> token)
            throws InterruptedException {
        WireFace agreed = face();
        Method<CallToolRequest, CallToolResult> method = Methods.CALL_TOOL;
        ServerMethods.require(method, server().capabilities(), agreed);
        if (!takesTaskCalls()) {
            throw CapabilityException.missing(
                    isPerRequest() ? TasksExtension.CAPABILITY : "tasks.requests.tools.call",
                    "a call as a task");
        }
        SelfContainedCalls selfContained = calls;
        if (selfContained != null) {
            CallOptions patient = options.withTimeout(options.maximum(), options.maximum());
            Outcome<CallToolResult> outcome =
                    selfContained.call(method, call.withTask(null), patient, true, true);
            answered();
            return switch (outcome) {
                case Outcome.TaskCreated<CallToolResult> created ->
                        new Outcome.TaskCreated<>(created.task());
                case Outcome.Complete<CallToolResult> complete ->
                        Outcome.complete(agreed.writeResult(method, complete.result()));
                case Outcome.InputRequired<CallToolResult> required ->
                        throw new AssertionError("rounds end with a result");
            };
        }
        OutgoingRequest request =
                new OutgoingRequest(
                                method.name(),
                                given -> agreed.writeParams(method, call, given),
                                options.maximum(),
                                options.maximum(),
                                token == null ? null : ignored -> {},
                                null)
                        .withHeaders(options.headers());
        OngoingCall ongoing = options.begun(timers).ongoing();
        OutgoingRequest limited = request.within(ongoing.left(method.name()));
        return ongoing.counted(
                () ->
                        PeerTasks.create(
                                connection,
                                agreed,
                                method,
                                limited,
                                token == null ? ignored -> {} : token));
    }

    /** Sends a request as it is. */
    JsonObject callRaw(String method, JsonObject params, CallOptions options)
            throws InterruptedException {
        face().method(method, Side.SERVER)
                .ifPresent(known -> ServerMethods.require(known, server().capabilities(), face()));
        SelfContainedCalls selfContained = calls;
        if (selfContained != null) {
            JsonObject result = selfContained.callRaw(method, params, options);
            answered();
            return result;
        }
        RawJson result =
                options.begun(timers)
                        .ongoing()
                        .request(
                                connection,
                                outgoing(
                                        method,
                                        token -> RawJson.of(withToken(params, token)),
                                        options));
        answered();
        return (JsonObject) result.value(); // the message parser takes no other result
    }

    static JsonObject withToken(JsonObject params, @Nullable ProgressToken token) {
        if (token == null) {
            return params;
        }
        JsonObject meta = params.get(META) instanceof JsonObject object ? object : JsonObject.EMPTY;
        return params.with(META, meta.with(MetaKey.PROGRESS_TOKEN, token.value()));
    }

    private static OutgoingRequest outgoing(
            String method, OutgoingRequest.Parameters params, CallOptions options) {
        return new OutgoingRequest(
                        method,
                        params,
                        options.timeout(),
                        options.maximum(),
                        options.listener(),
                        null)
                .withHeaders(options.headers());
    }

    /** Sends a notification. */
    <P extends NotificationParams> void notify(Notification<P> notification, P params) {
        connection.notify(face().notification(notification, params));
    }

    /** Sends a notification as it is. */
    void notifyRaw(String method, JsonObject params) {
        connection.notify(
                new JsonRpcNotification(method, params.isEmpty() ? null : RawJson.of(params)));
    }

    /** Sends a notification that is written already. */
    void notify(JsonRpcNotification notification) {
        connection.notify(notification);
    }

    @Override
    public void accept(JsonRpcMessage message, Exchange exchange) {
        if (isPerRequest() && message instanceof JsonRpcRequest request) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    client.peer(),
                    "A request of the server is dropped, since revision {0} has none: {1}",
                    face().revision(),
                    Printable.excerpt(request.method()));
            return;
        }
        connection.accept(message, exchange);
    }

    /** Runs an action once the notifications that have come so far are handled. */
    void afterNotifications(Runnable action) {
        connection.afterNotifications(action);
    }

    @Override
    public void pauseTimeout(RequestId request) {
        connection.pauseTimeout(request);
    }

    @Override
    public void resumeTimeout(RequestId request) {
        connection.resumeTimeout(request);
    }

    @Override
    public void fail(RequestId request, CallException cause) {
        connection.fail(request, cause);
    }

    @Override
    public void unreachable() {
        client.unreachable();
    }

    @Override
    public void expired(SessionExpiredException cause) {
        onExpired.accept(this, cause);
    }

    @Override
    public Optional<Revision> revision() {
        return peer.revision();
    }

    /** The session as interceptors see it; empty before the handshake, and without one. */
    Optional<SessionInfo> info() {
        return isPerRequest() ? Optional.empty() : peer.info();
    }

    String transport() {
        return context.transport();
    }

    /** The connection is gone: whether this side or the other one ended it. */
    boolean hasEnded() {
        return peer.isClosed();
    }

    /**
     * The connection that carries the session; closed at once if the session has ended meanwhile.
     */
    void carriedBy(Link carrier) {
        link = carrier;
        if (peer.isClosed()) {
            carrier.close();
        }
    }

    @Override
    public void lost(ConnectionException cause) {
        if (peer.close(cause)) {
            onEnd.accept(this, cause);
        }
    }

    @Override
    public void close() {
        lost(new ConnectionException("the connection was closed"));
    }

    /**
     * Ends the session and then the connection that carries it; blocks until that is done. One that
     * does not end well must not keep others open.
     */
    void end() {
        close();
        Link carrier = link;
        if (carrier != null) {
            try {
                carrier.close();
            } catch (RuntimeException | Error e) {
                LimitedLog.failed(
                        LOGGER,
                        System.Logger.Level.WARNING,
                        "",
                        e,
                        "A connection did not end well");
            }
        }
    }
}
