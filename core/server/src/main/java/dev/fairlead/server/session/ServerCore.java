package dev.fairlead.server.session;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.RequestRefusal;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.changes.Change;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.changes.ChangeListener;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.call.CallRateLimiter;
import dev.fairlead.server.call.CarrierWatchdog;
import dev.fairlead.server.call.HandledRequest;
import dev.fairlead.server.call.HeldCalls;
import dev.fairlead.server.call.RunningHandlers;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.call.ServerContext;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.features.FeatureChange;
import dev.fairlead.server.features.FeatureSet;
import dev.fairlead.server.features.MethodPaces;
import dev.fairlead.server.lifecycle.KeptBytes;
import dev.fairlead.server.notifications.Coalescer;
import dev.fairlead.server.requests.QuestionProgress;
import dev.fairlead.server.requeststate.RequestStates;
import dev.fairlead.server.subscriptions.Subscriptions;
import dev.fairlead.server.tools.ToolWork;
import dev.fairlead.tasks.ServerStore;
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
import java.util.function.Supplier;

/** The parts of a server that all its sessions share, and the sessions themselves. */
public final class ServerCore implements SessionHost, ServerContext, ChangeListener {
    private final ServerSettings settings;
    private final Timers timers;
    private final RunningHandlers running = new RunningHandlers();
    private final CarrierWatchdog watchdog = new CarrierWatchdog(running);
    private final KeptBytes keptBytes;
    private final PerRequestCalls perRequestCalls;
    private final CallReports reports;
    private final OperatorAccess operator;
    private final MethodPaces methodPaces = new MethodPaces();
    private final RequestStates requestStates;
    private final HeldCalls heldCalls;
    private final ServedFeatures served;
    private final Set<ServerSession> sessions = ConcurrentHashMap.newKeySet();
    private final Map<ListKind, Coalescer> changes = new EnumMap<>(ListKind.class);
    private volatile boolean closed;
    private final ChangeBus.Registration listening;
    private final QuestionProgress questionProgress = new QuestionProgress();
    private final UnmatchedResponses unmatched = new UnmatchedResponses(this::tasks);
    private volatile @Nullable TaskReceiver tasks;

    public ServerCore(ServerSettings settings, FeatureSet features, Timers timers) {
        this.settings = settings;
        this.timers = timers;
        this.perRequestCalls = new PerRequestCalls(this);
        this.reports = new CallReports(settings, running);
        this.operator = new OperatorAccess(settings, this::features, this::tasks, reports);
        this.requestStates =
                new RequestStates(settings.requestState, timers, reports::stateRefused);
        this.heldCalls = new HeldCalls(this);
        this.served = new ServedFeatures(settings, features, heldCalls, timers);
        this.keptBytes = new KeptBytes(settings.maxSessionBytes, settings.maxSessionBytesSum);
        for (ListKind kind : ListKind.values()) {
            changes.put(
                    kind,
                    new Coalescer(timers, settings.changeDelay, () -> announceListChanged(kind)));
        }
        this.listening = settings.changes.listen(this);
    }

    private void announceListChanged(ListKind kind) {
        sessions.forEach(session -> session.announcements().listChanged(kind));
        subscriptions().listChanged(kind);
    }

    /** Returns the streams of changes. */
    public Subscriptions subscriptions() {
        return served.subscriptions();
    }

    /**
     * Reads the keys of request states, where a store has them.
     *
     * @throws RuntimeException if they cannot be read
     */
    public void openStateKeys() {
        requestStates.open();
    }

    @Override
    public Optional<EventStore> events() {
        return Optional.ofNullable(settings.store).map(ServerStore::events);
    }

    @Override
    public Optional<OwnedValues.Source> ownedValues() {
        return Optional.ofNullable(settings.store).map(ServerStore::ownedValues);
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
        if (wanted != null || features().tools().hasTaskTools()) {
            tasks =
                    TaskReceiver.open(
                            wanted == null ? Tasks.inMemory() : wanted,
                            settings.implementation.name(),
                            new ToolWork(this, () -> features().tools()),
                            timers);
        }
    }

    /** The tasks of the server; null where it has none. */
    public @Nullable TaskReceiver tasks() {
        return tasks;
    }

    /** The responses of clients that match no question here. */
    UnmatchedResponses unmatched() {
        return unmatched;
    }

    /** Returns how many responses of clients were dropped. */
    public long droppedResponses() {
        return unmatched.dropped();
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

    ServedFeatures served() {
        return served;
    }

    public FeatureSet features() {
        return served.features();
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

    /** Answers a call, which ends with that. */
    RawJson answer(ServerCall call) throws Exception {
        call.limit(settings.callTimeout);
        watchdog.start();
        HandledRequest handler = running.add(new HandledRequest(call));
        try {
            RawJson answer = served.answer(call);
            reports.ended(handler, null);
            return answer;
        } catch (Throwable failure) {
            reports.ended(handler, failure);
            throw failure;
        } finally {
            end(handler);
            call.end();
        }
    }

    public void update(List<FeatureChange<?>> steps) {
        FeatureSet.Changed changed = served.change(steps, tasks != null);
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
                subscriptions().resourceUpdated(uri);
            }
        }
    }

    @Override
    public void changesMissed() {
        changes.values().forEach(Coalescer::signal);
        sessions.forEach(session -> session.announcements().allUpdated());
        subscriptions().allUpdated();
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
                .filter(known -> served.provider().hasMovableSessions())
                .map(known -> keep(ServerSession.restored(this, context, known, restored)));
    }

    @Override
    public Optional<Implementation> implementation() {
        return Optional.of(settings.implementation);
    }

    @Override
    public List<byte[]> peerKeys() {
        return requestStates.ofPeers();
    }

    @Override
    public Optional<ServerOperator> operator() {
        return Optional.of(operator);
    }

    @Override
    public void refused(RequestRefusal request) {
        reports.refused(request);
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
