package dev.fairlead.server;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.ClientCapabilities;
import dev.fairlead.protocol.EmptyResult;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Implementation;
import dev.fairlead.protocol.InitializeRequest;
import dev.fairlead.protocol.InitializeResult;
import dev.fairlead.protocol.LoggingLevel;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.ResourceUpdatedNotification;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.ServerCapabilities;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.ConnectionHandler;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.KeepAlive;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The conversation with one client: what was agreed on, what it wants to be told, and the way of
 * each request to the code that answers it.
 */
final class ServerSession implements Session, ConnectionHandler {
    private static final System.Logger LOGGER = System.getLogger(ServerSession.class.getName());

    private final ServerCore core;
    private final SessionContext context;
    private final Connection connection;
    private final SessionNotices notices;
    private final AtomicReference<@Nullable Agreement> agreement = new AtomicReference<>();
    private final CountDownLatch initialized = new CountDownLatch(1);
    private final Set<String> subscriptions = ConcurrentHashMap.newKeySet();
    private final @Nullable KeepAlive keepAlive;
    private volatile LoggingLevel loggingLevel;

    /**
     * What the handshake gave.
     *
     * @param client null where there was no handshake
     * @param declared what the server told that it can do; null where there was no handshake
     */
    private record Agreement(
            WireFace face,
            ClientCapabilities capabilities,
            @Nullable Implementation client,
            @Nullable ServerCapabilities declared) {}

    ServerSession(ServerCore core, SessionContext context) {
        this.core = core;
        this.context = context;
        this.connection =
                new Connection(context, this, core.settings().connection(), core.timers());
        this.notices = new SessionNotices(connection::notify);
        this.loggingLevel = core.settings().loggingLevel();
        Duration interval = core.settings().keepAlive();
        this.keepAlive =
                interval == null
                        ? null
                        : new KeepAlive(
                                "client",
                                interval,
                                core.settings().keepAliveFailures(),
                                core.timers(),
                                new Pings());
        context.assumedRevision()
                .ifPresent(
                        revision ->
                                agreement.set(
                                        new Agreement(
                                                HandshakeFace.of(revision),
                                                ClientCapabilities.NONE,
                                                null,
                                                null)));
    }

    // ---- what the features see

    ServerSettings settings() {
        return core.settings();
    }

    FeatureSet features() {
        return core.features();
    }

    Timers timers() {
        return core.timers();
    }

    Deadlines deadlines() {
        return core.deadlines();
    }

    Connection connection() {
        return connection;
    }

    /** Whom the calls of this session are counted for. */
    Object key() {
        return isStateless() ? RateLimit.ANYBODY : this;
    }

    boolean isStateless() {
        return context.assumedRevision().isPresent();
    }

    ClientCapabilities capabilities() {
        Agreement agreed = agreement.get();
        return agreed == null ? ClientCapabilities.NONE : agreed.capabilities();
    }

    Optional<Implementation> client() {
        Agreement agreed = agreement.get();
        return agreed == null ? Optional.empty() : Optional.ofNullable(agreed.client());
    }

    Throttle throttle() {
        int rate = settings().tellsPerSecond();
        return new Throttle(rate, rate, System::nanoTime);
    }

    EmptyResult setLevel(LoggingLevel level) {
        loggingLevel = level;
        return EmptyResult.EMPTY;
    }

    boolean wantsLog(LoggingLevel level) {
        return level.isAtLeast(loggingLevel);
    }

    void requireNotReserved(String method) {
        boolean reserved =
                method.equals(Connection.CANCELLED) || method.equals(Connection.PROGRESS);
        if (reserved || method.equals(Notifications.LOGGING_MESSAGE.name())) {
            throw new IllegalArgumentException("the library itself sends " + method);
        }
    }

    /**
     * Waits until the client has said that it is ready, since nothing may be asked before
     * (LIFE-006). Requests may overtake that notification over HTTP.
     */
    void awaitInitialized(Duration timeout) throws InterruptedException {
        if (initialized.getCount() == 0) {
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        Timers.Timer timer = timers().schedule(timeout, done::countDown);
        Thread watch = Thread.ofVirtual().name("mcp-initialized").start(() -> forward(done));
        try {
            done.await();
        } finally {
            timer.cancel();
            watch.interrupt();
        }
        if (initialized.getCount() > 0) {
            throw new RequestTimeoutException(
                    "the client did not say within " + timeout + " that it is initialized");
        }
    }

    private void forward(CountDownLatch done) {
        try {
            initialized.await();
            done.countDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody waits any more
        }
    }

    // ---- subscriptions and changes

    void subscribe(String uri) {
        if (subscriptions.size() >= settings().maxSubscriptions() && !subscriptions.contains(uri)) {
            throw new JsonRpcException(
                    -32000,
                    "Too many subscriptions: at most "
                            + settings().maxSubscriptions()
                            + " are kept");
        }
        subscriptions.add(uri);
    }

    void unsubscribe(String uri) {
        subscriptions.remove(uri);
    }

    /** Tells of a changed resource, if the client watches it. */
    void resourceUpdated(String uri) {
        Agreement agreed = agreement.get();
        if (agreed != null && subscriptions.contains(uri)) {
            RawJson params =
                    agreed.face()
                            .writeNotification(
                                    Notifications.RESOURCE_UPDATED,
                                    new ResourceUpdatedNotification(uri));
            notices.add(
                    uri, new JsonRpcNotification(Notifications.RESOURCE_UPDATED.name(), params));
        }
    }

    /** Tells of a changed list, if the client was promised to be told. */
    void listChanged(FeatureSet.Kind kind) {
        Agreement agreed = agreement.get();
        if (agreed == null || agreed.declared() == null) {
            return;
        }
        ServerCapabilities declared = agreed.declared();
        boolean promised =
                switch (kind) {
                    case TOOLS -> declared.toolsListChanged();
                    case RESOURCES -> declared.resourcesListChanged();
                    case PROMPTS -> declared.promptsListChanged();
                };
        Notification<?> notification =
                switch (kind) {
                    case TOOLS -> Notifications.TOOL_LIST_CHANGED;
                    case RESOURCES -> Notifications.RESOURCE_LIST_CHANGED;
                    case PROMPTS -> Notifications.PROMPT_LIST_CHANGED;
                };
        if (promised) {
            notices.add("", new JsonRpcNotification(notification.name(), null));
        }
    }

    // ---- requests

    @Override
    public @Nullable RawJson handleAtOnce(JsonRpcRequest request, Exchange exchange) {
        if (request.method().equals(Methods.PING.name())) {
            return RawJson.EMPTY_OBJECT;
        }
        if (request.method().equals(Methods.INITIALIZE.name())) {
            return initialize(request.params());
        }
        Agreement agreed = agreement.get();
        if (agreed == null) {
            throw JsonRpcException.invalidRequest("The session must begin with initialize");
        }
        if (!offers(request.method(), agreed)) {
            throw JsonRpcException.methodNotFound(request.method());
        }
        return null;
    }

    /**
     * Whether the revision has the method and the server what it is about, or it is one of the
     * author's own.
     */
    private boolean offers(String method, Agreement agreed) {
        if (agreed.face().method(method, Side.SERVER).isEmpty()) {
            return features().methods().find(method) != null;
        }
        ServerCapabilities now = core.capabilities();
        ServerCapabilities declared = agreed.declared() == null ? now : agreed.declared();
        return switch (method.substring(0, Math.max(0, method.indexOf('/')))) {
            case "tools" -> declared.tools() || now.tools();
            case "resources" -> declared.resources() || now.resources();
            case "prompts" -> declared.prompts() || now.prompts();
            case "completion" -> declared.completions() || now.completions();
            default -> true;
        };
    }

    private RawJson initialize(@Nullable RawJson params) {
        InitializeRequest request = readInitialize(params);
        WireFace face =
                HandshakeFace.of(Revision.of(request.protocolVersion()).orElse(Revision.LATEST));
        ServerCapabilities declared = face.limit(core.capabilities());
        Agreement agreed =
                new Agreement(
                        face, face.limit(request.capabilities()), request.clientInfo(), declared);
        if (!isStateless() && !agreement.compareAndSet(null, agreed)) {
            throw JsonRpcException.invalidRequest("The session is already initialized");
        }
        LOGGER.log(
                Level.DEBUG,
                () ->
                        "Session of "
                                + request.clientInfo().name()
                                + " over "
                                + context.transport()
                                + ", "
                                + face.revision());
        ServerSettings settings = settings();
        return face.writeResult(
                Methods.INITIALIZE,
                new InitializeResult(face.revision().date(), declared, settings.implementation())
                        .withInstructions(settings.instructions()));
    }

    /** A version that is missing or malformed is the one case of {@code -32602} here (ROOM-035). */
    private static InitializeRequest readInitialize(@Nullable RawJson params) {
        try {
            return HandshakeFace.of(Revision.LATEST)
                    .readParams(Methods.INITIALIZE, params)
                    .params();
        } catch (JsonRpcException e) {
            throw new JsonRpcException(
                    e.code(), e.getMessage(), JsonObject.of("supported", Revision.dates()));
        }
    }

    @Override
    public RawJson handle(IncomingRequest request) throws Exception {
        Agreement agreed = agreement.get();
        if (agreed == null) {
            throw new IllegalStateException("a request ran before the handshake");
        }
        ServerCall call = new ServerCall(this, request, agreed.face());
        call.limit(settings().callTimeout());
        try {
            return core.methods().answer(call, features());
        } catch (JsonRpcException e) {
            throw new JsonRpcException(agreed.face().error(e.error()), e);
        } finally {
            call.end();
        }
    }

    // ---- notifications

    @Override
    public void handle(JsonRpcNotification notification, Exchange exchange) {
        if (agreement.get() != null
                && notification.method().equals(Notifications.INITIALIZED.name())) {
            boolean first = initialized.getCount() > 0;
            initialized.countDown();
            notices.open();
            if (first && keepAlive != null) {
                keepAlive.start();
            }
        }
        ServerNotification own = features().notifications().find(notification.method());
        if (own == null) {
            LOGGER.log(Level.DEBUG, "Nobody listens to {0}", notification.method());
            return;
        }
        RawJson params = notification.params();
        try {
            Object input = own.input().read(params == null ? RawJson.EMPTY_OBJECT : params);
            own.handler().handle(input, exchange.caller());
        } catch (JsonBindingException | JsonException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "A malformed {0} is ignored: {1}",
                    notification.method(),
                    e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOGGER.log(Level.ERROR, "The handler of " + notification.method() + " failed", e);
        }
    }

    // ---- the session as its transport sees it

    @Override
    public void accept(JsonRpcMessage message, Exchange exchange) {
        connection.accept(message, exchange);
    }

    @Override
    public void fail(RequestId request, CallException cause) {
        connection.fail(request, cause);
    }

    @Override
    public Optional<Revision> revision() {
        Agreement agreed = agreement.get();
        return agreed == null ? Optional.empty() : Optional.of(agreed.face().revision());
    }

    @Override
    public void close() {
        core.forget(this);
        if (keepAlive != null) {
            keepAlive.stop();
        }
        notices.close();
        subscriptions.clear();
        connection.close();
    }

    /** Pings the client, and ends its session when it does not answer. */
    private final class Pings implements KeepAlive.Ping {
        @Override
        public void send(Duration limit) throws InterruptedException {
            connection.request(
                    new OutgoingRequest(
                            Methods.PING.name(), token -> null, limit, limit, null, null));
        }

        @Override
        public void lost(ConnectionException why) {
            connection.lost(why);
            disconnect();
        }
    }

    /** Ends the session from this side. */
    void disconnect() {
        context.close();
    }
}
