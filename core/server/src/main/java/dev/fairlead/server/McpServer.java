package dev.fairlead.server;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.Transport;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Endpoint;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.RequestStateRefusal;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.caching.CacheHint;
import dev.fairlead.protocol.caching.CacheScope;
import dev.fairlead.protocol.caching.CacheableResult;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.engine.ConnectionLimits;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.pipe.InProcess;
import dev.fairlead.protocol.pipe.PipeEndpoint;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.features.FeatureSet;
import dev.fairlead.server.handler.Delegate;
import dev.fairlead.server.lifecycle.ServedRevisions;
import dev.fairlead.server.session.ServerCore;
import dev.fairlead.server.session.ServerLog;
import dev.fairlead.tasks.ServerStore;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A server: features, and the sessions of the clients that use them. It can be served in several
 * places at once, and its features can change while it runs. Thread-safe.
 *
 * {@snippet :
 * McpServer.named("hello", "1.0.0")
 *         .tool("greet", "Greets a person by name", Person.class, String.class)
 *                 .handle((person, call) -> "Hello, " + person.name() + "!")
 *         .build();
 * }
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server Server
 */
public final class McpServer implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(McpServer.class.getName());

    private final ServerCore core;
    private final Map<Serving, ServerLog> servings = new ConcurrentHashMap<>();
    private final ReentrantLock closing = new ReentrantLock();
    private volatile boolean reachable;

    private McpServer(ServerCore core) {
        this.core = core;
    }

    /** Returns a builder for a server with this name and version, which clients receive. */
    public static Builder named(String name, String version) {
        return named(new Implementation(name, version));
    }

    /**
     * Returns a builder for a server that sends clients also a title, a description, a website or
     * icons.
     */
    public static Builder named(Implementation implementation) {
        return new Builder(implementation);
    }

    /**
     * Serves this server in a place: {@code Stdio.streams()}, {@code Http.port(3000)}. Returns when
     * it accepts clients. The returned object keeps the JVM alive until it or this server is
     * closed.
     *
     * @throws UncheckedIOException if the place cannot be opened, such as a port that is in use;
     *     the message names it
     * @throws IllegalStateException if the server is closed
     */
    public <S extends Serving> S serve(Endpoint<S> endpoint) {
        try {
            core.requireOpen();
            S serving = endpoint.serve(core);
            reachable = true;
            ServerSettings defaults = named(core.settings().implementation).settings();
            servings.put(serving, ServerLog.started(core, defaults, serving.description()));
            if (core.isClosed()) { // close() may have gone through the map before
                close(serving);
            }
            Thread.ofVirtual().name("mcp-serving").start(() -> forgetAtItsEnd(serving));
            return serving;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private void forgetAtItsEnd(Serving serving) {
        try {
            serving.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no code interrupts this thread
        } finally {
            forget(serving);
        }
    }

    private void forget(Serving serving) {
        ServerLog log = servings.get(serving);
        if (log != null) {
            log.stopped();
            servings.remove(serving);
        }
    }

    /** Serves the one client at the other end of an open transport. Returns at once. */
    public Serving serve(Transport transport) {
        return serve(new PipeEndpoint(transport));
    }

    /**
     * Returns this server as a remote for a client in the same process; each connection is a
     * session of its own. Callers are anonymous.
     */
    public Remote inProcess() {
        reachable = true;
        return new InProcess(core);
    }

    /**
     * Returns the server like {@link #inProcess()}, for clients that act as this caller, so that
     * they can use features that require scopes.
     */
    public Remote inProcess(Caller caller) {
        reachable = true;
        return new InProcess(core, caller);
    }

    /** Returns the host to which a transport of your own connects its peers. */
    public SessionHost host() {
        reachable = true;
        return core;
    }

    /**
     * Returns whether clients can reach this server, or could before: it was served, or given out
     * by {@link #inProcess} or {@link #host}.
     */
    public boolean wasReachable() {
        return reachable;
    }

    /**
     * Changes features, all at once or, if the change is refused, not at all. Clients get one
     * notification for each kind of list that changed, after {@link Builder#changeDelay}, so that
     * several changes need only one.
     *
     * @param change declares and removes features; runs on the calling thread
     */
    public void update(Consumer<FeatureChanges> change) {
        FeatureChanges changes = new FeatureChanges();
        change.accept(changes);
        core.update(changes.changes());
    }

    /** Notifies the clients that watch a resource that it changed. Returns at once. */
    public void resourceUpdated(String uri) {
        core.resourceUpdated(Objects.requireNonNull(uri, "uri"));
    }

    /**
     * Notifies the clients that templates and sources list other resources than before. Returns at
     * once; the notification is sent after a short delay, as by {@link #update}.
     */
    public void resourcesChanged() {
        core.listChanged(ListKind.RESOURCES);
    }

    /** Returns the outside jobs that tasks of this server wait for, see {@code Call.park}. */
    public Jobs jobs() {
        return new Jobs(core);
    }

    /** In how many places the server is served at the moment. */
    int servings() {
        return servings.size();
    }

    /** Returns how many bodies of held calls have begun and not ended. */
    int heldCalls() {
        return core.heldCalls().size();
    }

    /** Returns how many sessions are open at the moment. */
    public int sessions() {
        return core.sessions();
    }

    /**
     * Returns how many request states this server has refused: altered, expired, sealed by a key
     * that it does not have, or for another caller or request. The cause of each is logged at
     * {@code DEBUG}.
     */
    public long refusedRequestStates() {
        return Stream.of(RequestStateRefusal.Cause.values())
                .mapToLong(this::refusedRequestStates)
                .sum();
    }

    /**
     * Returns how many requests were refused because of their {@code requestState} for this cause,
     * since the server was built.
     */
    public long refusedRequestStates(RequestStateRefusal.Cause cause) {
        return core.requestStates().refused(cause);
    }

    /**
     * Returns how many responses of clients were dropped, since the server was built: those to
     * requests that have ended, that were never sent, or that another process has sent, unless they
     * answer the question of a task.
     */
    public long droppedResponses() {
        return core.droppedResponses();
    }

    /**
     * Returns the features whose latest runs were quick, such as {@code the tool greet}: the thread
     * that reads their requests may run them, where a transport has such a thread. Features with
     * {@link Builder#ownThread} are never among them.
     */
    public List<String> quickFeatures() {
        return core.features().quick();
    }

    /**
     * Ends every place that this server is served in, and every session: handlers are interrupted.
     * Blocks until that is done. May be called more than once, from any thread; a call waits for
     * one that is under way. Places first wait for the handlers that run, as long as they allow, so
     * a handler that closes its server should do so on another thread.
     */
    @Override
    public void close() {
        core.refuseSessions();
        core.subscriptions().close();
        core.heldCalls().refuse();
        if (closing.isHeldByCurrentThread()) {
            return; // the listener of a serving that is being closed closes the server again
        }
        closing.lock();
        try {
            servings.keySet().forEach(this::close);
        } finally {
            try {
                core.close();
            } finally {
                closing.unlock();
            }
        }
    }

    /** One place that does not end well must not keep the others open. */
    private void close(Serving serving) {
        try {
            serving.close();
            forget(serving);
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "A place of the server did not end well", e);
        }
    }

    /**
     * The configuration of a server. Not thread-safe; {@link #build} can be called more than once.
     */
    public static final class Builder extends Features<Builder> {
        private final ServerSettings settings;
        private @Nullable RequestState requestState;
        private final RequestState ofProcess = RequestState.standard(); // for all that are built
        private @Nullable ChangeBus changes;

        private Builder(Implementation implementation) {
            settings =
                    new ServerSettings(
                            Objects.requireNonNull(implementation, "implementation"),
                            RateLimit.standard().limiter());
        }

        @Override
        Builder self() {
            return this;
        }

        /** Sets the name of the server that people see; none by default. */
        public Builder title(String title) {
            settings.implementation =
                    settings.implementation.withTitle(Objects.requireNonNull(title, "title"));
            return this;
        }

        /** Sets a text for the model that explains how to use the server; none by default. */
        public Builder instructions(String text) {
            settings.instructions = Objects.requireNonNull(text, "instructions");
            return this;
        }

        /** Sets capabilities outside the protocol that clients receive. */
        public Builder experimental(JsonObject capabilities) {
            settings.experimental = Objects.requireNonNull(capabilities, "capabilities");
            return this;
        }

        /**
         * Sets the revisions of the protocol that clients may use: all unless set. {@code
         * initialize} with another revision is answered with the newest of these that has a
         * handshake. If there is none, and for other requests, the error is {@code -32022}, whose
         * data lists these revisions.
         *
         * @throws IllegalArgumentException if there are none
         */
        public Builder revisions(Revision... served) {
            if (served.length == 0) {
                throw new IllegalArgumentException("a server must serve at least one revision");
            }
            settings.revisions = new ServedRevisions(EnumSet.copyOf(List.of(served)));
            return this;
        }

        /**
         * Lets clients of revision 2026-07-28 keep lists of tools, prompts, resources and resource
         * templates, and the result of {@code server/discover}, for a time: the same as {@link
         * #cacheLists(Duration, CacheScope)} with {@link CacheScope#PRIVATE}.
         *
         * @throws IllegalArgumentException if the time is negative
         */
        public Builder cacheLists(Duration ttl) {
            return cacheLists(ttl, CacheScope.PRIVATE);
        }

        /**
         * Lets clients of revision 2026-07-28 keep lists of tools, prompts, resources and resource
         * templates, and the result of {@code server/discover}, for a time ({@code ttlMs}, 0 unless
         * set). A client that listens to changes drops its copies when a list changes; others may
         * use an old list for as long as this. A {@link Delegate} or interceptor that sets {@link
         * CacheableResult#withCacheHint} on one result decides for that one. Older revisions have
         * no hints.
         *
         * @param scope {@code PUBLIC} only if every caller gets the same lists. {@link #build} and
         *     later changes throw {@link IllegalArgumentException} then if {@code visibleTo} hides
         *     a feature from some callers, and {@code build} also with {@link #hideTaskOnlyTools};
         *     the lists of listers, sources and delegates are not checked.
         * @throws IllegalArgumentException if the time is negative
         * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
         *     Caching
         */
        public Builder cacheLists(Duration ttl, CacheScope scope) {
            settings.listHint = CacheHint.of(ttl, scope);
            return this;
        }

        /**
         * Sets a store for all that the processes of this server share or that outlives them:
         * tasks, sessions over HTTP with their events, changes, the keys of request states, and the
         * logins of an {@code AuthorizationProxy}. {@link #tasks}, {@link #changes}, {@link
         * #requestState}, the event store of an HTTP endpoint and the store of a proxy take
         * precedence, each for its part. A {@code Database} of module {@code fairlead-jdbc} is such
         * a store. All is in memory unless set.
         *
         * @param store to be closed after the server
         */
        public Builder store(ServerStore store) {
            settings.store = Objects.requireNonNull(store, "store");
            return this;
        }

        /**
         * Sets the bus on which the nodes of this server carry changes to each other: changes by
         * {@link McpServer#update}, {@link McpServer#resourceUpdated} and the like on one node are
         * announced to the clients of all, in sessions and on streams of {@code
         * subscriptions/listen}. Unless set, clients are notified of the changes of their own node
         * only. All servers on one bus are nodes of the same server; {@code JdbcChanges} in module
         * {@code fairlead-jdbc} has one on PostgreSQL.
         *
         * @param bus listened to from {@link #build} until the server is closed, which does not
         *     close it
         */
        public Builder changes(ChangeBus bus) {
            changes = Objects.requireNonNull(bus, "bus");
            return this;
        }

        /**
         * Sets the keys that seal the state of requests of revision 2026-07-28 between the rounds
         * of their questions. Unless set, each process has a key of its own, so that a request
         * which continues in another process is refused.
         */
        public Builder requestState(RequestState sealing) {
            requestState = Objects.requireNonNull(sealing, "sealing");
            return this;
        }

        /**
         * Sets an object that answers requests instead of declared features. Beside it only methods
         * and notifications of your own may be declared.
         */
        public Builder delegate(Delegate delegate) {
            settings.delegate = Objects.requireNonNull(delegate, "delegate");
            return this;
        }

        /**
         * Sets the store of tasks and their limits: {@link Tasks#inMemory} unless set, if a tool
         * may run as a task. The server opens and closes the store.
         */
        public Builder tasks(Tasks tasks) {
            settings.tasks = Objects.requireNonNull(tasks, "tasks");
            return this;
        }

        /**
         * Hides tools that must be called as a task from clients that cannot do that, such as those
         * of older revisions. Unless set, such a client calls them plainly.
         */
        public Builder hideTaskOnlyTools() {
            settings.hidesTaskTools = true;
            return this;
        }

        /**
         * Ignores arguments that a tool does not know, in calls of all tools, as {@link
         * ToolDeclaration#ignoreUnknownArguments} does for one.
         */
        public Builder ignoreUnknownArguments() {
            settings.ignoresUnknownArguments = true;
            return this;
        }

        /**
         * Accepts arguments that are strings although a tool takes another type, in calls of all
         * tools, as {@link ToolDeclaration#acceptTextArguments} does for one.
         */
        public Builder acceptTextArguments() {
            settings.acceptsTextArguments = true;
            return this;
        }

        /**
         * Runs each request on a thread of its own. Unless set, the thread that reads requests may
         * run handlers whose latest runs were quick, which costs less, and is replaced if a handler
         * takes longer than expected. So requests of different callers may run on one thread, one
         * after the other. Set it if handlers or interceptors leave values in thread-locals that a
         * later request must not see; {@link ToolDeclaration#ownThread} sets it for one tool, and
         * so do the other declarations.
         */
        public Builder ownThread() {
            settings.ownThread = true;
            return this;
        }

        /**
         * Adds interceptors around every request of clients except {@code initialize} and {@code
         * ping}, and around every question to them. The first is outermost; those of an earlier
         * call are further out.
         */
        public Builder intercept(Interceptor... around) {
            for (Interceptor one : List.of(around)) {
                settings.interceptors.add(one instanceof RateLimit limit ? limit.limiter() : one);
            }
            return this;
        }

        /**
         * Changes how often tools and completion may be called: 1,000 a second in each session
         * unless set. Anonymous callers without a session on the loopback interface are counted
         * only if it is set.
         */
        public Builder rateLimit(RateLimit limit) {
            settings.rateLimit = Objects.requireNonNull(limit, "limit").limiter();
            settings.loopbackCalls = true;
            return this;
        }

        /** Lets tools and completion be called as often as clients like. */
        public Builder withoutRateLimit() {
            settings.rateLimit = null;
            return this;
        }

        /** How long a call may take whose tool sets no timeout: an hour unless set. */
        public Builder callTimeout(Duration limit) {
            settings.callTimeout = Checks.positive(limit, "callTimeout");
            return this;
        }

        /**
         * How long to wait for an answer that a client gives without a person or model, such as its
         * roots: 30 seconds unless set.
         */
        public Builder requestTimeout(Duration limit) {
            settings.requestTimeout = Checks.positive(limit, "requestTimeout");
            return this;
        }

        /** How long to wait for the answer of a person or a model: 10 minutes unless set. */
        public Builder questionTimeout(Duration limit) {
            settings.questionTimeout = Checks.positive(limit, "questionTimeout");
            return this;
        }

        /**
         * How long changes of lists are gathered before clients are notified: 50 milliseconds
         * unless set.
         */
        public Builder changeDelay(Duration delay) {
            settings.changeDelay = Checks.positive(delay, "changeDelay");
            return this;
        }

        /**
         * Logs requests that take this long or longer at level INFO: 10 seconds unless set. All
         * others are logged at DEBUG. The logger is {@code dev.fairlead.requests}.
         *
         * @throws IllegalArgumentException if not positive
         */
        public Builder slowRequest(Duration threshold) {
            settings.slowRequest = Checks.positive(threshold, "slowRequest");
            return this;
        }

        /**
         * The least severe log messages that clients of a session get before they choose a level:
         * {@code info} unless set. Since revision 2026-07-28 each request has its level, or gets
         * none.
         */
        public Builder loggingLevel(LoggingLevel level) {
            settings.loggingLevel = Objects.requireNonNull(level, "level");
            return this;
        }

        /** How many items a page of a list has at most: 50 unless set. */
        public Builder pageSize(int items) {
            settings.pageSize = Checks.positive(items, "pageSize");
            return this;
        }

        /**
         * How many sessions there may be over all transports: 12,500 unless set, which is the limit
         * of an HTTP endpoint with its reserve. More are refused.
         */
        public Builder maxSessions(int sessions) {
            settings.maxSessions = Checks.positive(sessions, "maxSessions");
            return this;
        }

        /**
         * How many streams of changes ({@code subscriptions/listen}) there may be in all: 10,000
         * unless set. More are refused, over HTTP with 429.
         *
         * @throws IllegalArgumentException if not positive
         */
        public Builder maxListenStreams(int streams) {
            settings.maxListenStreams = Checks.positive(streams, "maxListenStreams");
            return this;
        }

        /**
         * How many streams of changes a caller may have, an anonymous one over HTTP by its address:
         * 100 unless set. More are refused, over HTTP with 429. Unless set, anonymous callers on
         * the loopback interface are held to it only once fewer than a quarter of {@link
         * #maxListenStreams} are free.
         *
         * @throws IllegalArgumentException if not positive
         */
        public Builder maxListenStreamsPerCaller(int streams) {
            settings.maxListenStreamsPerCaller =
                    Checks.positive(streams, "maxListenStreamsPerCaller");
            settings.loopbackListenStreams = true;
            return this;
        }

        /**
         * Sets how many calls of tools with {@link ToolDeclaration#holdsWhileAsking} there may be
         * in all, those that wait for an answer and those that run: 1,000 unless set. More are
         * refused before their handler begins, with {@code -32603} and {@code data.retryable}, over
         * HTTP with 429.
         *
         * @throws IllegalArgumentException if not positive
         */
        public Builder maxHeldCalls(int calls) {
            settings.maxHeldCalls = Checks.positive(calls, "maxHeldCalls");
            return this;
        }

        /**
         * Sets how many of these calls a caller may have, an anonymous one over HTTP by its
         * address: 100 unless set. More are refused in the same way.
         *
         * @throws IllegalArgumentException if not positive
         */
        public Builder maxHeldCallsPerCaller(int calls) {
            settings.maxHeldCallsPerCaller = Checks.positive(calls, "maxHeldCallsPerCaller");
            return this;
        }

        /**
         * How many resources a session or a stream of changes may watch, and how many tasks such a
         * stream: 1,000 unless set. More are refused.
         */
        public Builder maxSubscriptions(int subscriptions) {
            settings.maxSubscriptions = Checks.positive(subscriptions, "maxSubscriptions");
            return this;
        }

        /**
         * Sets the most bytes of its client's data that a session keeps: client information and
         * capabilities, which may have 64 KiB as they come, and the URIs that it subscribes to,
         * each counted as they lie in memory; 1 MiB by default. Data beyond it are refused with
         * {@code -32000}.
         *
         * @throws IllegalArgumentException if not positive
         */
        public Builder maxSessionBytes(int bytes) {
            settings.maxSessionBytes = Checks.positive(bytes, "maxSessionBytes");
            return this;
        }

        /**
         * Sets the most bytes that all sessions together keep; a sixteenth of the largest heap by
         * default, and never less than {@link #maxSessionBytes}. The last quarter is left to
         * sessions that keep no more than 16 KiB. Data beyond it are refused with {@code -32000}.
         *
         * @throws IllegalArgumentException if not positive
         */
        public Builder maxSessionBytesSum(long bytes) {
            settings.maxSessionBytesSum = Checks.positive(bytes, "maxSessionBytesSum");
            return this;
        }

        /** How many requests of a session may run at a time: 1,000 unless set. More are refused. */
        public Builder maxRequests(int requests) {
            settings.connection =
                    new ConnectionLimits(
                            Checks.positive(requests, "maxRequests"),
                            ConnectionLimits.DEFAULT.notifications());
            return this;
        }

        /**
         * How many progress and log messages a call may send in a second: 100 unless set. More are
         * dropped.
         */
        public Builder maxNotificationsPerSecond(int messages) {
            settings.notificationsPerSecond =
                    Checks.positive(messages, "maxNotificationsPerSecond");
            return this;
        }

        /**
         * Pings the client of every session at intervals; off by default. Over HTTP a ping needs
         * the stream that a client opens by GET: the session of a client without one ends.
         *
         * @param interval between the end of a ping and the next, and how long one may take at most
         * @param failures after so many failed pings in a row the session ends
         */
        public Builder keepAlive(Duration interval, int failures) {
            settings.keepAlive = Checks.positive(interval, "interval");
            settings.keepAliveFailures = Checks.positive(failures, "failures");
            return this;
        }

        /**
         * Creates the server.
         *
         * @throws IllegalStateException if a declaration was left without its {@code handle}, or
         *     there are tasks beside a delegate
         * @throws dev.fairlead.tasks.TaskStoreException if the store of tasks cannot be opened
         * @throws RuntimeException of the {@link #store} if its keys of request states cannot be
         *     read
         */
        public McpServer build() {
            return build(Internals.timers(this, () -> Timers.system("mcp-server-timers")));
        }

        McpServer build(Timers timers) {
            FeatureSet features = FeatureSet.EMPTY.apply(changes()).features();
            ServerCore core = new ServerCore(settings(), features, timers);
            try {
                core.openStateKeys();
                core.openTasks();
            } catch (RuntimeException e) {
                core.close();
                throw e;
            }
            return new McpServer(core);
        }

        ServerSettings settings() {
            if (settings.hidesTaskTools && settings.listHint.scope() == CacheScope.PUBLIC) {
                throw new IllegalArgumentException(
                        "lists cannot be cached as public: hideTaskOnlyTools hides tools from some"
                                + " clients");
            }
            return settings.with(
                    copy -> {
                        ServerStore store = copy.store;
                        copy.requestState = sealing(store).settings(copy);
                        copy.changes = bus(store);
                        if (copy.tasks == null && copy.delegate == null && store != null) {
                            copy.tasks = store.tasks();
                        }
                        copy.replaying = Internals.isReplaying(this);
                    });
        }

        private RequestState sealing(@Nullable ServerStore store) {
            if (requestState != null) {
                return requestState;
            }
            return store == null ? ofProcess : RequestState.keys(store.stateKeys());
        }

        private ChangeBus bus(@Nullable ServerStore store) {
            if (changes != null) {
                return changes;
            }
            return store == null ? ChangeBus.inProcess() : store.changes();
        }
    }
}
