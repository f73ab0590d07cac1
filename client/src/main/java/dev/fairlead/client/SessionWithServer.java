package dev.fairlead.client;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.peer.PeerSession;
import dev.fairlead.peer.PeerTasks;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Outcome;
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
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.InitializeRequest;
import dev.fairlead.protocol.lifecycle.InitializeResult;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** One session with the server, from the handshake to its end. */
final class SessionWithServer implements Session {
    private static final String META = "_meta";

    /** The most bytes of the result of {@code initialize}, which is kept. */
    static final int MAX_INITIALIZE_RESULT = 1 << 20;

    private final ClientSettings settings;
    private final Connection connection;
    private final PeerSession<Agreed> peer;
    private final BiConsumer<SessionWithServer, SessionExpiredException> onExpired;
    private final BiConsumer<SessionWithServer, ConnectionException> onEnd;
    private volatile @Nullable Link link;

    /** The result of {@code initialize}, and the revision in it. */
    private record Agreed(WireFace face, InitializeResult server)
            implements PeerSession.Negotiated {}

    SessionWithServer(
            ClientSettings settings,
            SessionContext context,
            Function<SessionWithServer, Receiver> receiver,
            BiConsumer<SessionWithServer, SessionExpiredException> onExpired,
            BiConsumer<SessionWithServer, ConnectionException> onEnd,
            Timers timers,
            AtomicLong lastRequestId) {
        this.settings = settings;
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

    // ---- the handshake

    /**
     * Agrees with the server on a revision.
     *
     * @throws UnsupportedRevisionException if there is none that both speak; the caller then closes
     *     the connection
     */
    void initialize() throws InterruptedException {
        initialize(settings.newest);
        peer.ready();
        notify(Notifications.INITIALIZED, EmptyParams.EMPTY);
    }

    private void initialize(Revision offer) throws InterruptedException {
        WireFace offered = HandshakeFace.of(offer);
        InitializeRequest request =
                new InitializeRequest(
                        offer.date(), offered.limit(settings.capabilities()), settings.info);
        Duration timeout = settings.requestTimeout;
        InitializeResult result;
        try {
            RawJson raw =
                    connection.request(
                            new OutgoingRequest(
                                    Methods.INITIALIZE.name(),
                                    token ->
                                            offered.writeParams(Methods.INITIALIZE, request, token),
                                    timeout,
                                    timeout,
                                    null,
                                    null));
            if (raw.size() > MAX_INITIALIZE_RESULT) {
                throw new InvalidResultException(
                        "the result of initialize may have %d bytes but has %d"
                                .formatted(MAX_INITIALIZE_RESULT, raw.size()),
                        null);
            }
            result = offered.readResult(Methods.INITIALIZE, raw);
        } catch (JsonRpcException e) {
            offerAgain(offer, e);
            return;
        }
        Revision agreed = agreed(result.protocolVersion());
        peer.negotiate(new Agreed(HandshakeFace.of(agreed), result));
    }

    /** Some servers refuse with the list of what they speak, instead of naming another revision. */
    private void offerAgain(Revision refused, JsonRpcException refusal)
            throws InterruptedException {
        List<String> supported = supported(refusal.data());
        if (supported.isEmpty()) {
            throw refusal;
        }
        Revision common =
                supported.stream()
                        .flatMap(date -> Revision.withHandshake(date).stream())
                        .filter(
                                candidate ->
                                        isAccepted(candidate) && candidate.compareTo(refused) < 0)
                        .max(Revision::compareTo)
                        .orElseThrow(
                                () ->
                                        new UnsupportedRevisionException(
                                                String.join(", ", supported), settings));
        initialize(common);
    }

    private static List<String> supported(@Nullable JsonValue data) {
        if (data instanceof JsonObject object
                && object.get("supported") instanceof JsonArray dates) {
            return dates.elements().stream()
                    .flatMap(
                            date ->
                                    date instanceof JsonString text
                                            ? Stream.of(text.value())
                                            : Stream.of())
                    .toList();
        }
        return List.of();
    }

    private Revision agreed(String date) {
        return Revision.withHandshake(date)
                .filter(this::isAccepted)
                .orElseThrow(() -> new UnsupportedRevisionException(date, settings));
    }

    private boolean isAccepted(Revision candidate) {
        return candidate.isAtLeast(settings.oldest) && settings.newest.isAtLeast(candidate);
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
        RawJson result =
                connection.request(
                        outgoing(
                                method.name(),
                                token -> agreed.writeParams(method, params, token),
                                options));
        ListBytes list = options.list();
        if (list != null) {
            list.add(result);
        }
        return agreed.readResult(method, result);
    }

    /** Whether a tool may be called as a task here. */
    boolean takesTaskCalls() {
        return face().has(Methods.GET_TASK)
                && server().capabilities()
                        .tasks()
                        .filter(tasks -> tasks.takes(Methods.CALL_TOOL.name()))
                        .isPresent();
    }

    /**
     * Calls a tool as a task, and waits for the answer up to the maximum, also where nobody else
     * does any more.
     *
     * @param token is told the token under which progress comes; null where nobody listens
     * @throws CapabilityException if the server did not declare that it takes such calls
     */
    Outcome<RawJson> callAsTask(
            CallToolRequest call, CallOptions options, @Nullable Consumer<ProgressToken> token)
            throws InterruptedException {
        WireFace agreed = face();
        Method<CallToolRequest, CallToolResult> method = Methods.CALL_TOOL;
        ServerMethods.require(method, server().capabilities(), agreed);
        if (!takesTaskCalls()) {
            throw CapabilityException.missing("tasks.requests.tools.call", "a call as a task");
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
        return PeerTasks.create(
                connection, agreed, method, request, token == null ? ignored -> {} : token);
    }

    /** Sends a request as it is. */
    JsonObject callRaw(String method, JsonObject params, CallOptions options)
            throws InterruptedException {
        face().method(method, Side.SERVER)
                .ifPresent(known -> ServerMethods.require(known, server().capabilities(), face()));
        RawJson result =
                connection.request(
                        outgoing(method, token -> RawJson.of(withToken(params, token)), options));
        return (JsonObject) result.value(); // the message parser takes no other result
    }

    private static JsonObject withToken(JsonObject params, @Nullable ProgressToken token) {
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
        connection.notify(
                new JsonRpcNotification(
                        notification.name(), face().writeNotification(notification, params)));
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
    public void expired(SessionExpiredException cause) {
        onExpired.accept(this, cause);
    }

    @Override
    public Optional<Revision> revision() {
        return peer.revision();
    }

    /** The session as interceptors see it; empty before the handshake. */
    Optional<SessionInfo> info() {
        return peer.info();
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

    /** Ends the session and then the connection that carries it; blocks until that is done. */
    void end() {
        close();
        Link carrier = link;
        if (carrier != null) {
            carrier.close();
        }
    }
}
