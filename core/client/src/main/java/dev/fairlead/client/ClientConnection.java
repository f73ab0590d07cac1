package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.peer.KeepAlive;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.ForeignAnswerException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.engine.TokenBucket;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.SetLevelRequest;
import dev.fairlead.protocol.resources.SubscribeRequest;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.tasks.receiver.TaskReceiver;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connection of a client to its server, whatever sessions it takes: opens the first one, when
 * asked to or with the first request, and a new one when the server has forgotten the old one.
 *
 * <p>The lock makes sure that only one session is opened at a time; it is held while that happens,
 * so that all others wait for that session.
 */
final class ClientConnection implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ClientConnection.class.getName());

    /** How many tasks the stream of changes is about. */
    private static final int MAX_TASKS = 100;

    /** How many sessions may be lost in a row before they answer anything. */
    private static final int FRUITLESS_IN_A_ROW = 3;

    private final ClientSettings settings;
    private final Remote remote;
    private final Timers timers;
    private final CallOptions defaults;
    private final ToolDefinitions tools;
    private final WatchedResources watchedResources;
    private final UrlElicitations visits;
    private final ServerTasks tasks;
    private volatile @Nullable TaskReceiver ownTasks;
    private volatile Omissions omissions = Omissions.SHARED; // until the server has named itself
    private final Notices notices;
    private final RequestPipeline pipeline;
    private final AtomicLong lastRequestId = new AtomicLong(); // of all sessions
    private final Inputs inputs;
    private final ResponseCache cache;
    private final Optional<Object> place; // for the memory of its era
    private final KeepAlive keepAlive;
    private final ProcessRestarts restarts;
    private final TokenBucket fruitless; // sessions that may be lost before they answer anything
    private final ReentrantLock opening = new ReentrantLock();
    private final Set<SessionWithServer> open =
            ConcurrentHashMap.newKeySet(); // also those under way or being replaced
    private final AtomicReference<@Nullable SessionWithServer> reported =
            new AtomicReference<>(); // whose loss was reported
    private volatile long attempts; // to open a session; counted with the lock of opening
    private @Nullable CallException lastFailure; // of the last of them; guarded by opening
    private volatile @Nullable Opening connecting;
    private volatile @Nullable SessionWithServer current;
    private volatile @Nullable LoggingLevel level;
    private volatile List<Root> roots;
    private volatile boolean closed;

    ClientConnection(ClientSettings settings, Remote remote, Timers timers) {
        this.settings = settings;
        this.remote = remote;
        this.timers = timers;
        this.place = remote.place();
        this.defaults = new CallOptions(settings.requestTimeout, settings.maxTotalTimeout);
        this.tools = new ToolDefinitions(peer(), settings.lenient, settings.maxItems);
        this.watchedResources = new WatchedResources(settings.maxListenerBytes);
        this.visits =
                new UrlElicitations(
                        settings.onElicitationComplete, settings.maxListenerBytes, timers);
        this.inputs =
                new Inputs(settings, () -> this.roots, () -> known().server().serverInfo(), visits);
        this.tasks = new ServerTasks(this, inputs, timers);
        this.restarts = new ProcessRestarts(this::replaceEnded, () -> closed, timers);
        this.fruitless =
                new TokenBucket(1, settings.requestTimeout, FRUITLESS_IN_A_ROW, timers::nanoTime);
        this.cache = new ResponseCache(settings.maxCacheBytes, timers);
        this.notices =
                new Notices(
                        settings,
                        new ListReader(this),
                        tools,
                        cache,
                        watchedResources,
                        visits,
                        tasks);
        this.pipeline = new RequestPipeline(this, visits);
        this.roots = settings.roots == null ? List.of() : settings.roots;
        this.keepAlive =
                new KeepAlive(
                        "server",
                        settings.keepAlive,
                        settings.keepAliveFailures,
                        timers,
                        new Pings());
    }

    /** Opens what the client has beside its sessions; before the first of them. */
    void begin() {
        Tasks store = settings.tasks;
        if (store != null && settings.tasksCapability() != null) {
            ownTasks =
                    TaskReceiver.open(
                            store,
                            settings.info.name(),
                            new QuestionWork(settings, visits),
                            timers.borrowed());
        }
    }

    ClientSettings settings() {
        return settings;
    }

    CallOptions defaults() {
        return defaults;
    }

    /** Returns the options of a call that begins now, if it has not begun yet. */
    CallOptions begun(CallOptions options) {
        return options.begun(timers);
    }

    RequestPipeline pipeline() {
        return pipeline;
    }

    /** What identifies the server for the limit of log lines. */
    Object peer() {
        return remote.place().orElse(remote);
    }

    ToolDefinitions tools() {
        return tools;
    }

    /** Returns the log of the faults of the server, which is the same for all its sessions. */
    Omissions omissions(Implementation server) {
        if (omissions == Omissions.SHARED) {
            String name = settings.member == null ? server.name() : settings.member;
            omissions = new Omissions(peer(), "The server " + Printable.excerpt(name));
        }
        return omissions;
    }

    Omissions omissions() {
        return omissions;
    }

    ResponseCache cache() {
        return cache;
    }

    /** Returns the changes that are wanted now, as far as the server offers them. */
    NotificationFilter wantedChanges(ServerCapabilities server) {
        Set<String> uris = server.resourcesSubscribe() ? watchedResources.uris() : Set.of();
        List<String> awaited = TasksExtension.isDeclaredBy(server) ? awaitedTasks() : List.of();
        return new NotificationFilter(
                wanted(settings.onToolsChanged, server.toolsListChanged()),
                wanted(settings.onPromptsChanged, server.promptsListChanged()),
                wanted(settings.onResourcesChanged, server.resourcesListChanged()),
                uris.isEmpty() ? null : List.copyOf(uris),
                awaited.isEmpty() ? null : awaited,
                JsonObject.EMPTY);
    }

    /** The tasks that the stream of changes is about; others are looked at from time to time. */
    private List<String> awaitedTasks() {
        return tasks.all().awaited().stream().map(TaskId::value).sorted().limit(MAX_TASKS).toList();
    }

    /** Other changes may be wanted now. Returns at once. */
    void changesWanted() {
        SessionWithServer session = current;
        if (session != null) {
            session.listening().ifPresent(Listening::changed);
        }
    }

    private static @Nullable Boolean wanted(@Nullable ListListener<?> listener, boolean offered) {
        return listener != null && offered ? true : null;
    }

    /** Makes good what may have been missed while there was no stream of changes. */
    void missedChanges(NotificationFilter granted) {
        cache.clear();
        notices.missed(granted);
        tasks.look(granted.tasks());
    }

    /** A changed list could not be read; that is tried again after a while. Returns at once. */
    void readLater(Notification<?> changed, Duration delay) {
        if (!isLost()) {
            timers.schedule(delay, () -> notices.listChanged(changed));
        }
    }

    /** Looks at tasks that may have changed before the server began to send their changes. */
    void changesGranted(NotificationFilter granted, NotificationFilter before) {
        Set<String> added = new HashSet<>(granted.tasks());
        added.removeAll(before.tasks());
        tasks.look(added);
    }

    Inputs inputs() {
        return inputs;
    }

    /**
     * Returns the least severe log messages that each request asks for since revision 2026-07-28;
     * null for none. A client that listens to them gets those of level {@code info} unless it has
     * set another one: earlier revisions leave that to the server.
     */
    @Nullable LoggingLevel level() {
        LoggingLevel wanted = level;
        return wanted == null && settings.onLog != null ? LoggingLevel.INFO : wanted;
    }

    ServerTasks tasks() {
        return tasks;
    }

    WatchedResources watchedResources() {
        return watchedResources;
    }

    // ---- sessions

    /** The session that was opened last; it may have ended. */
    SessionWithServer known() {
        SessionWithServer session = current;
        if (session == null) {
            throw new IllegalStateException("the client has not connected yet");
        }
        return session;
    }

    /** The session, opened now if there has been none. */
    SessionWithServer session() throws InterruptedException {
        checkOpen();
        SessionWithServer known = current;
        if (known == null) {
            return open(null, null);
        }
        if (known.isPerRequest() && known.hasEnded()) {
            return restart(known);
        }
        return known;
    }

    /** Whether there is a session, or was one. */
    boolean hasConnected() {
        return current != null;
    }

    /** As {@link ProcessRestarts#restart}. */
    SessionWithServer restart(SessionWithServer ended) throws InterruptedException {
        return restarts.restart(ended);
    }

    private SessionWithServer replaceEnded(SessionWithServer ended, Runnable permission)
            throws InterruptedException {
        SessionWithServer session = open(ended, permission, null);
        end(ended);
        return session;
    }

    private SessionWithServer open(
            @Nullable SessionWithServer replaced, @Nullable SessionExpiredException why)
            throws InterruptedException {
        return open(replaced, () -> {}, why);
    }

    /**
     * Opens a session in place of the one given, unless another thread has done so.
     *
     * @param permission is asked for before a session is opened
     * @param why the one given has expired; null where there is none
     */
    private SessionWithServer open(
            @Nullable SessionWithServer replaced,
            Runnable permission,
            @Nullable SessionExpiredException why)
            throws InterruptedException {
        SessionWithServer session;
        long seen = attempts;
        opening.lockInterruptibly();
        try {
            SessionWithServer known = current;
            if (known != null && known != replaced) {
                return known;
            }
            CallException failure = lastFailure;
            if (attempts > seen && failure != null) { // of an attempt since this call came
                throw failure.withCallerStack();
            }
            permission.run();
            session = attempt();
            if (replaced != null) { // another process may offer other tools
                tools.forget();
                cache.clear();
            }
            current = session;
            if (replaced != null) {
                replaced.listening().ifPresent(Listening::close);
            }
            if (session.hasEnded()) { // before it was the current one
                ended(session, new ConnectionException("the connection was closed"));
            }
        } finally {
            opening.unlock();
        }
        keepAlive.start(); // again, where the server was lost
        if (replaced != null && why != null) {
            LimitedLog.log(
                    LOGGER, Level.INFO, peer(), "The server forgot the session, a new one is open");
            retire(replaced);
            restoring(session, why).join(); // others need not wait for it
        } else if (replaced != null && !session.isPerRequest()) {
            restoring(session, null).join();
        }
        return session;
    }

    /** Opens a session, with the lock; a failure also counts for those that wait meanwhile. */
    private SessionWithServer attempt() throws InterruptedException {
        attempts++;
        lastFailure = null;
        try {
            return handshake();
        } catch (CallException e) {
            lastFailure = e;
            throw e;
        }
    }

    private SessionWithServer handshake() throws InterruptedException {
        checkOpen();
        if (!settings.speaks(Era.PER_REQUEST) || !settings.speaks(Era.HANDSHAKE)) {
            return connect(null);
        }
        Instant now = timers.clock().instant();
        Era known = place.flatMap(of -> KnownEras.SHARED.find(of, now)).orElse(null);
        SessionWithServer session;
        try {
            session = connectAgain(known);
        } catch (JsonRpcException
                | ForeignAnswerException
                | InvalidResultException
                | UnsupportedRevisionException
                | RequestTimeoutException e) {
            place.ifPresent(KnownEras.SHARED::forget);
            if (known == null || e instanceof RequestTimeoutException) {
                throw e;
            }
            LOGGER.log(
                    Level.DEBUG,
                    "The server is not of the era that was remembered: {0}",
                    Printable.excerpt(e.getMessage()));
            known = null;
            session = connectAgain(null);
        }
        Era found = session.agreed().revision().era();
        if (found != known) {
            place.ifPresent(of -> KnownEras.SHARED.remember(of, found, now));
        }
        return session;
    }

    private SessionWithServer connectAgain(@Nullable Era known) throws InterruptedException {
        try {
            return connect(known);
        } catch (Negotiation.ProbeEndedException e) { // old servers may exit when asked
            LOGGER.log(
                    Level.DEBUG,
                    "The server ended when asked by server/discover, so it is started again");
            return connect(Era.HANDSHAKE);
        }
    }

    /**
     * Opens a session.
     *
     * @param known the era of the server; null for unknown
     */
    private SessionWithServer connect(@Nullable Era known) throws InterruptedException {
        SessionWithServer[] opened = new SessionWithServer[1];
        Opening attempt =
                new Opening(
                        remote,
                        context -> {
                            SessionWithServer session =
                                    new SessionWithServer(
                                            this,
                                            context,
                                            this::receiver,
                                            this::expired,
                                            this::ended,
                                            timers,
                                            lastRequestId);
                            opened[0] = session;
                            return session;
                        });
        connecting = attempt;
        if (closed) { // close() may have missed this attempt
            attempt.abandon(closedException());
        }
        Link link = attempt.await(settings.requestTimeout, timers);
        SessionWithServer session = opened[0];
        session.carriedBy(link);
        open.add(session);
        boolean agreed = false;
        try {
            checkOpen(); // and this session
            session.agree(known);
            agreed = true;
            return session;
        } finally {
            if (!agreed) { // also where initialize took too long: it is never cancelled
                end(session);
            }
        }
    }

    /**
     * Whether no later request can reach the server; without a handshake, the next one connects.
     */
    boolean isLost() {
        SessionWithServer session = current;
        return closed || (session != null && session.hasEnded() && !session.isPerRequest());
    }

    private void checkOpen() {
        if (closed) {
            throw closedException();
        }
    }

    private static ConnectionException closedException() {
        return new ConnectionException("the client is closed");
    }

    private Receiver receiver(SessionWithServer session) {
        return new Receiver(session, settings, () -> roots, notices, tasks.all(), ownTasks, visits);
    }

    private void end(SessionWithServer session) {
        open.remove(session);
        session.end();
    }

    /**
     * Restores a new session, also where the thread that opened it is interrupted meanwhile.
     *
     * @param why is reported to the listener for new sessions; null if that is not called
     */
    private Thread restoring(SessionWithServer session, @Nullable SessionExpiredException why) {
        return Thread.ofVirtual()
                .name("mcp-client-restore")
                .start(
                        () -> {
                            try {
                                restore(session);
                                if (why != null) {
                                    notices.renewed(why);
                                }
                            } catch (InterruptedException e) { // no other code has this thread
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    /** Gives a new session what the old one had. */
    private void restore(SessionWithServer session) throws InterruptedException {
        if (session.isPerRequest()) { // where each request and the stream of changes have these
            return;
        }
        LoggingLevel wanted = level;
        if (wanted != null) {
            tryCall(session, Methods.SET_LEVEL, new SetLevelRequest(wanted));
        }
        for (String uri : watchedResources.uris()) {
            tryCall(session, Methods.SUBSCRIBE, new SubscribeRequest(uri));
        }
    }

    private <P extends RequestParams> void tryCall(
            SessionWithServer session, Method<P, ?> method, P params) throws InterruptedException {
        try {
            session.call(method, params, defaults);
        } catch (CallException e) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    peer(),
                    "The new session lacks what the old one had by {0}: {1}",
                    method,
                    Printable.excerpt(e.getMessage()));
        }
    }

    /**
     * Opens a session in place of one that the server has forgotten. Other requests of the old one
     * may still find that out for themselves.
     */
    SessionWithServer renew(SessionWithServer expired, SessionExpiredException why)
            throws InterruptedException {
        if (settings.failOnExpiredSession || closed) {
            throw why;
        }
        return open(expired, () -> requireUseful(expired, why), why);
    }

    /**
     * Makes sure that a server that loses sessions before they answer anything gets few of them.
     */
    private void requireUseful(SessionWithServer expired, SessionExpiredException why) {
        if (!expired.hasAnswered() && !fruitless.take()) {
            throw why;
        }
    }

    /** Closes a session in whose place another one is, after the time that its requests have. */
    private void retire(SessionWithServer replaced) {
        timers.schedule(
                settings.requestTimeout,
                () -> Thread.ofVirtual().name("mcp-close").start(() -> end(replaced)));
    }

    /**
     * Opens a session in place of one that the server has forgotten, although no request found that
     * out: a client that only listens would receive nothing any more.
     */
    private void expired(SessionWithServer session, SessionExpiredException why) {
        if (settings.failOnExpiredSession || closed) {
            return; // the next request finds out
        }
        Thread.ofVirtual().name("mcp-client-renew").start(() -> tryRenew(session, why));
    }

    /** A session ended: by itself, unless it was replaced or the client is closed. */
    private void ended(SessionWithServer session, ConnectionException why) {
        if (session == current && !closed && reported.getAndSet(session) != session) {
            notices.connectionLost(why);
            if (settings.member == null && session.wantsChanges()) {
                restarts.keepRestarting(session);
            }
        }
    }

    private void tryRenew(SessionWithServer expired, SessionExpiredException why) {
        try {
            renew(expired, why);
        } catch (CallException e) {
            LOGGER.log(
                    closed ? Level.DEBUG : Level.WARNING,
                    "The server forgot the session, and there is no new one yet: {0}",
                    Printable.excerpt(e.getMessage()));
        } catch (InterruptedException e) { // no other code has this thread
            Thread.currentThread().interrupt();
        }
    }

    // ---- notifications, and what is kept for the next session

    /**
     * Notifies the server that the roots changed; a server without a session asks for them anyway.
     */
    void notifyRootsChanged() {
        SessionWithServer session = current;
        if (session != null && !session.isPerRequest()) {
            session.notify(Notifications.ROOTS_LIST_CHANGED, EmptyParams.EMPTY);
        }
    }

    void notifyRaw(String method, JsonObject params) throws InterruptedException {
        session().notifyRaw(method, params);
    }

    /** Waits until the log messages that have come so far were handled; false if not in time. */
    boolean awaitLog(Duration limit) throws InterruptedException {
        SessionWithServer session = current;
        if (session == null || settings.onLog == null || session.hasEnded()) {
            return true;
        }
        AtomicBoolean handled = new AtomicBoolean();
        CountDownLatch over = new CountDownLatch(1);
        session.afterNotifications(
                () ->
                        notices.afterLog(
                                () -> {
                                    handled.set(true);
                                    over.countDown();
                                }));
        Timers.Timer timer = timers.schedule(limit, over::countDown);
        try {
            over.await();
        } finally {
            timer.cancel();
        }
        return handled.get();
    }

    void keepLevel(LoggingLevel wanted) {
        level = wanted;
    }

    void keepRoots(List<Root> replacement) {
        roots = replacement;
    }

    // ---- the end

    /** A stream of the server could not be resumed: finds out soon whether the server is gone. */
    void unreachable() {
        keepAlive.suspect();
    }

    private final class Pings implements KeepAlive.Ping {
        @Override
        public void send(Duration limit) throws InterruptedException {
            CallOptions options = begun(new CallOptions(limit, limit));
            pipeline.on(session(), false, options, session -> session.ping(options));
        }

        @Override
        public void lost(ConnectionException why) {
            SessionWithServer session = known();
            session.lost(why);
            end(session);
        }
    }

    @Override
    public void close() {
        closed = true;
        keepAlive.stop();
        Opening attempt = connecting;
        if (attempt != null) {
            attempt.abandon(closedException());
        }
        List<SessionWithServer> sessions = List.copyOf(open);
        sessions.forEach(
                session ->
                        session.lost(closedException())); // first, to release the callers that wait
        sessions.forEach(this::end);
        tasks.all().close();
        TaskReceiver own = ownTasks;
        if (own != null) {
            own.close();
        }
        visits.close();
        notices.close();
        watchedResources.close();
        timers.close();
    }
}
