package dev.fairlead.server.session;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.RequestRefusal;
import dev.fairlead.protocol.RequestStateRefusal;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.caching.CacheScope;
import dev.fairlead.protocol.changes.Change;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.changes.ChangeListener;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.RequestSubject;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.call.CallRateLimiter;
import dev.fairlead.server.call.CarrierWatchdog;
import dev.fairlead.server.call.HeldCalls;
import dev.fairlead.server.call.RunningHandlers;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.call.ServerContext;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.features.DeclaredFeatures;
import dev.fairlead.server.features.DelegatedFeatures;
import dev.fairlead.server.features.FeatureChange;
import dev.fairlead.server.features.FeatureProvider;
import dev.fairlead.server.features.FeatureSet;
import dev.fairlead.server.features.MethodPaces;
import dev.fairlead.server.features.ServedMethods;
import dev.fairlead.server.lifecycle.KeptBytes;
import dev.fairlead.server.notifications.Coalescer;
import dev.fairlead.server.requests.QuestionProgress;
import dev.fairlead.server.requeststate.RequestStates;
import dev.fairlead.server.subscriptions.SubscriptionLimits;
import dev.fairlead.server.subscriptions.Subscriptions;
import dev.fairlead.server.tools.ToolWork;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.tasks.receiver.TaskReceiver;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What all sessions of a server share: settings, features, the sessions themselves. The lock orders
 * changes of the features and is never held while code of users runs.
 */
public final class ServerCore implements SessionHost, ServerContext, ChangeListener {
    private static final System.Logger LOGGER = System.getLogger(ServerCore.class.getName());

    private final ServerSettings settings;
    private final Timers timers;
    private final RunningHandlers running = new RunningHandlers();
    private final CarrierWatchdog watchdog = new CarrierWatchdog(running);
    private final KeptBytes keptBytes;
    private final PerRequestCalls perRequestCalls;
    private final MethodPaces methodPaces = new MethodPaces();
    private final RequestStates requestStates;
    private final HeldCalls heldCalls;
    private final Subscriptions subscriptions;
    private final Set<ServerSession> sessions = ConcurrentHashMap.newKeySet();
    private boolean takesTasks; // set under the lock, and for good: tasks outlive their tools
    private final Map<ListKind, Coalescer> changes = new EnumMap<>(ListKind.class);
    private final ReentrantLock changing = new ReentrantLock();
    private volatile FeatureSet features;
    private volatile ServedMethods methods;
    private volatile FeatureProvider provider;
    private volatile ServerCapabilities capabilities;
    private volatile boolean closed;
    private final ChangeBus.Registration listening;
    private final QuestionProgress questionProgress = new QuestionProgress();
    private volatile @Nullable TaskReceiver tasks;

    public ServerCore(ServerSettings settings, FeatureSet features, Timers timers) {
        this.settings = settings;
        this.features = accepted(features);
        this.timers = timers;
        this.perRequestCalls = new PerRequestCalls(this);
        this.requestStates = new RequestStates(settings.requestState, timers, this::stateRefused);
        this.heldCalls = new HeldCalls(this);
        this.subscriptions =
                new Subscriptions(
                        new SubscriptionLimits(
                                settings.maxListenStreamsPerCaller,
                                settings.loopbackListenStreams,
                                settings.maxListenStreams,
                                settings.maxSubscriptions),
                        timers,
                        this::capabilities,
                        (uri, caller) -> provider.isVisible(uri, caller));
        this.keptBytes = new KeptBytes(settings.maxSessionBytes, settings.maxSessionBytesSum);
        this.provider = providerOf(this.features);
        this.capabilities = provider.capabilities();
        this.methods =
                new ServedMethods(provider, this.features.methods(), settings, subscriptions);
        for (ListKind kind : ListKind.values()) {
            changes.put(
                    kind,
                    new Coalescer(timers, settings.changeDelay, () -> announceListChanged(kind)));
        }
        this.listening = settings.changes.listen(this);
    }

    private void announceListChanged(ListKind kind) {
        sessions.forEach(session -> session.announcements().listChanged(kind));
        subscriptions.listChanged(kind);
    }

    /** Returns the streams of changes. */
    public Subscriptions subscriptions() {
        return subscriptions;
    }

    /**
     * Opens the engine of tasks, if there are any; to be called once, when the rest is complete,
     * since tasks may run from then on.
     *
     * @throws IllegalStateException if tasks are asked for where they cannot be
     */
    public void openTasks() {
        Tasks wanted = settings.tasks;
        if (wanted != null && settings.delegate != null) {
            throw new IllegalStateException("a server with a delegate has no tasks of its own");
        }
        if (wanted != null || features.tools().hasTaskTools()) {
            tasks =
                    TaskReceiver.open(
                            wanted == null ? Tasks.inMemory() : wanted,
                            settings.implementation.name(),
                            new ToolWork(this, () -> features.tools()),
                            timers);
        }
    }

    /** The tasks of the server; null where it has none. */
    public @Nullable TaskReceiver tasks() {
        return tasks;
    }

    @Override
    public QuestionProgress questionProgress() {
        return questionProgress;
    }

    @Override
    public RequestStates requestStates() {
        return requestStates;
    }

    public HeldCalls heldCalls() {
        return heldCalls;
    }

    @Override
    public ServerSettings settings() {
        return settings;
    }

    FeatureProvider provider() {
        return provider;
    }

    public FeatureSet features() {
        return features;
    }

    @Override
    public Timers timers() {
        return timers;
    }

    @Override
    public RunningHandlers.Entry begin(Supplier<String> subject) {
        watchdog.start();
        return running.add(subject);
    }

    @Override
    public void end(RunningHandlers.Entry handler) {
        running.remove(handler);
    }

    /** The bytes that all sessions keep. */
    KeptBytes keptBytes() {
        return keptBytes;
    }

    /** What the server can do with the features that it has. */
    ServerCapabilities capabilities() {
        return capabilities;
    }

    /** Returns whether the server has now what a method is about. */
    boolean offers(String method) {
        return offers(method, capabilities);
    }

    /** Returns whether a server with capabilities has what a method is about. */
    static boolean offers(String method, ServerCapabilities able) {
        if (method.startsWith("tools/")) {
            return able.tools();
        }
        if (method.startsWith("resources/")) {
            return able.resources();
        }
        if (method.startsWith("prompts/")) {
            return able.prompts();
        }
        if (method.startsWith("completion/")) {
            return able.completions();
        }
        return !method.startsWith("tasks/") || able.tasks().isPresent();
    }

    /** Answers a call, which ends with that. */
    RawJson answer(ServerCall call) throws Exception {
        IncomingRequest request = call.request();
        ServedMethods answering = methods;
        call.limit(settings.callTimeout);
        RunningHandlers.Entry handler =
                begin(() -> RequestSubject.of(request.method(), request.params()));
        try {
            return answering.answer(call);
        } finally {
            end(handler);
            call.end();
        }
    }

    /** The same as far as it holds for one session. */
    ServerCapabilities capabilitiesFor(SessionContext context) {
        ServerCapabilities able = capabilities;
        return listsTasksFor(context)
                ? able
                : able.withTasks(able.tasks().map(known -> known.withList(null)).orElse(null));
    }

    /** Whether {@code tasks/list} is declared to a peer. */
    private boolean listsTasksFor(SessionContext context) {
        boolean known =
                !context.caller().isAnonymous() || !(context.owner() instanceof Owner.Anonymous);
        Tasks wanted = settings.tasks;
        return known
                || (wanted != null
                        && wanted.listsForAnonymous()
                        && context.assumedRevision().isEmpty());
    }

    private FeatureProvider providerOf(FeatureSet present) {
        if (settings.delegate == null) {
            return new DeclaredFeatures(present, settings, takesTasks, heldCalls);
        }
        if (present.hasFeatures()) {
            throw new IllegalStateException(
                    "a server with a delegate has no tools, resources and prompts of its own");
        }
        return new DelegatedFeatures(settings.delegate, heldCalls);
    }

    private void serve(FeatureSet present) {
        features = present;
        provider = providerOf(present);
        capabilities = provider.capabilities();
        methods = new ServedMethods(provider, present.methods(), settings, subscriptions);
    }

    /** Checks features before they are served. */
    private FeatureSet accepted(FeatureSet fresh) {
        if (settings.listHint.scope() == CacheScope.PUBLIC) {
            fresh.requireSameListsForAll();
        }
        takesTasks = takesTasks || fresh.tools().hasTaskTools();
        return fresh;
    }

    public void update(List<FeatureChange> steps) {
        FeatureSet.Changed changed;
        changing.lock();
        try {
            changed = features.apply(steps);
            if (changed.features().tools().hasTaskTools() && tasks == null) {
                throw new IllegalStateException(
                        "a tool that runs as a task needs a server that was made with tasks(…) or"
                                + " with such a tool");
            }
            serve(accepted(changed.features()));
        } finally {
            changing.unlock();
        }
        changed.kinds().forEach(this::listChanged);
    }

    /** Announces a list that has changed here to the clients of all nodes. */
    public void listChanged(ListKind kind) {
        settings.changes.publish(new Change.OfList(kind));
    }

    /** Announces a resource that has changed to the clients of all nodes. */
    public void resourceUpdated(String uri) {
        settings.changes.publish(new Change.OfResource(uri));
    }

    @Override
    public void changed(Change change) {
        switch (change) {
            case Change.OfList list -> Objects.requireNonNull(changes.get(list.kind())).signal();
            case Change.OfResource resource -> {
                String uri = resource.uri();
                sessions.forEach(session -> session.announcements().resourceUpdated(uri));
                subscriptions.resourceUpdated(uri);
            }
        }
    }

    @Override
    public void changesMissed() {
        changes.values().forEach(Coalescer::signal);
        sessions.forEach(session -> session.announcements().allUpdated());
        subscriptions.allUpdated();
    }

    // ---- sessions and requests

    MethodPaces methodPaces() {
        return methodPaces;
    }

    PerRequestCalls perRequestCalls() {
        return perRequestCalls;
    }

    @Override
    public Optional<RequestHost> requests() {
        return Optional.of(perRequestCalls);
    }

    @Override
    public Set<Revision> revisions() {
        return settings.revisions.revisions();
    }

    @Override
    public Session open(SessionContext context) {
        requireOpen();
        ServerSession session = new ServerSession(this, context);
        // one without state lives for one request, and gets no notifications of changes
        return session.isStateless() ? session : keep(session);
    }

    @Override
    public Optional<Session> restore(SessionContext context, JsonObject state, int restored) {
        requireOpen();
        return SessionState.read(state)
                .filter(known -> provider.hasMovableSessions())
                .map(known -> keep(ServerSession.restored(this, context, known, restored)));
    }

    @Override
    public void refused(RequestRefusal request) {
        for (Interceptor interceptor : settings.interceptors) {
            try {
                interceptor.requestRefused(request);
            } catch (RuntimeException e) {
                LimitedLog.failed(
                        LOGGER,
                        System.Logger.Level.ERROR,
                        "",
                        e,
                        "An interceptor failed at a refusal");
            }
        }
    }

    /** Counts a request that was refused because of its state. */
    void stateRefused(RequestStateRefusal request) {
        for (Interceptor interceptor : settings.interceptors) {
            try {
                interceptor.requestStateRefused(request);
            } catch (RuntimeException e) {
                LimitedLog.failed(
                        LOGGER,
                        System.Logger.Level.ERROR,
                        "",
                        e,
                        "An interceptor failed at a refusal");
            }
        }
    }

    private ServerSession keep(ServerSession session) {
        if (sessions.size() >= settings.maxSessions) {
            session.close(); // one that is restored keeps bytes already
            throw new IllegalStateException(
                    "Session limit reached ("
                            + settings.maxSessions
                            + "); raise McpServer.Builder.maxSessions");
        }
        sessions.add(session);
        if (closed) { // close() may have gone through the set before this session was in it
            session.close();
            throw new IllegalStateException("the server is closed");
        }
        return session;
    }

    void forget(ServerSession session) {
        sessions.remove(session);
        if (settings.rateLimit != null) {
            settings.rateLimit.forget(session);
        }
        for (Interceptor interceptor : settings.interceptors) {
            if (interceptor instanceof CallRateLimiter limiter) {
                limiter.forget(session);
            }
        }
    }

    public int sessions() {
        return sessions.size();
    }

    /**
     * @throws IllegalStateException if the server is closed
     */
    public void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the server is closed");
        }
    }

    public boolean isClosed() {
        return closed;
    }

    /** Opens no more sessions; those that are open continue. */
    public void refuseSessions() {
        closed = true;
    }

    public void close() {
        closed = true;
        for (ServerSession session : sessions) {
            session.disconnect();
            session.close();
        }
        heldCalls.close();
        TaskReceiver opened = tasks;
        if (opened != null) {
            opened.close();
        }
        listening.close();
        watchdog.close();
        timers.close();
    }
}
