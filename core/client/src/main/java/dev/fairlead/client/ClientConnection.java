package dev.fairlead.client;

import dev.fairlead.client.calls.CallParts;
import dev.fairlead.client.calls.ListCalls;
import dev.fairlead.client.calls.ListReader;
import dev.fairlead.client.calls.PageVisits;
import dev.fairlead.client.calls.RequestPipeline;
import dev.fairlead.client.changes.WatchedResources;
import dev.fairlead.client.handlers.Inputs;
import dev.fairlead.client.handlers.Notices;
import dev.fairlead.client.handlers.QuestionWork;
import dev.fairlead.client.handlers.Receiver;
import dev.fairlead.client.handlers.UrlElicitations;
import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.LinkChannel;
import dev.fairlead.client.link.LinkContext;
import dev.fairlead.client.link.LinkOpener;
import dev.fairlead.client.link.Links;
import dev.fairlead.client.link.ResponseCache;
import dev.fairlead.client.link.ServerLink;
import dev.fairlead.client.link.ToolDefinitions;
import dev.fairlead.client.tasks.ServerTasks;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.peer.KeepAlive;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The parts of one client and their wiring: its links, and the state that they keep from one to the
 * next.
 */
final class ClientConnection implements LinkContext, CallParts, Links.Client, AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ClientConnection.class.getName());

    /** How many tasks the stream of changes is about. */
    private static final int MAX_TASKS = 100;

    private final ClientSettings settings;
    private final Remote remote;
    private final Timers timers;
    private final CallOptions defaults;
    private final ToolDefinitions tools;
    private final WatchedResources watchedResources;
    private final UrlElicitations visits;
    private final ServerTasks tasks;
    private final Notices notices;
    private final Links links;
    private final RequestPipeline pipeline;
    private final Inputs inputs;
    private final ResponseCache cache;
    private final KeepAlive keepAlive;
    private volatile @Nullable TaskReceiver ownTasks;
    private volatile Omissions omissions = Omissions.SHARED; // until the server has named itself
    private volatile @Nullable LoggingLevel level;
    private volatile List<Root> roots;

    ClientConnection(ClientSettings settings, Remote remote, Timers timers) {
        this.settings = settings;
        this.remote = remote;
        this.timers = timers;
        this.defaults = new CallOptions(settings.requestTimeout, settings.maxTotalTimeout);
        this.roots = settings.roots == null ? List.of() : settings.roots;
        this.tools = new ToolDefinitions(peer(), settings.lenient, settings.maxItems);
        this.cache = new ResponseCache(settings.maxCacheBytes, timers);
        this.watchedResources = new WatchedResources(settings.maxListenerBytes);
        this.visits =
                new UrlElicitations(
                        settings.onElicitationComplete, settings.maxListenerBytes, timers);
        this.inputs =
                new Inputs(settings, () -> this.roots, () -> known().server().serverInfo(), visits);
        this.pipeline =
                new RequestPipeline(
                        this,
                        new PageVisits(settings, () -> known().server().serverInfo(), visits));
        this.tasks = new ServerTasks(pipeline, settings.requestTimeout, inputs, timers);
        this.notices = newNotices();
        this.links =
                new Links(
                        this,
                        peer(),
                        this,
                        owner -> new LinkOpener(remote, this, this::receiver, owner));
        this.keepAlive =
                new KeepAlive(
                        "server",
                        settings.keepAlive,
                        settings.keepAliveFailures,
                        timers,
                        new Pings());
    }

    private Notices newNotices() {
        ListReader reader = new ListReader(this, this::readLater);
        return new Notices(settings, reader, tools, cache, watchedResources, visits, tasks);
    }

    /** Opens the tasks of the client, which it has beside its links; before the first of them. */
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

    private Receiver receiver(LinkChannel channel) {
        return new Receiver(channel, settings, () -> roots, notices, tasks.all(), ownTasks, visits);
    }

    // ---- the parts

    @Override
    public ClientSettings settings() {
        return settings;
    }

    @Override
    public Timers timers() {
        return timers;
    }

    @Override
    public Inputs inputs() {
        return inputs;
    }

    @Override
    public ToolDefinitions tools() {
        return tools;
    }

    @Override
    public ResponseCache cache() {
        return cache;
    }

    CallOptions defaults() {
        return defaults;
    }

    @Override
    public CallOptions begun(CallOptions options) {
        return options.begun(timers);
    }

    @Override
    public RequestPipeline pipeline() {
        return pipeline;
    }

    @Override
    public ServerTasks tasks() {
        return tasks;
    }

    WatchedResources watchedResources() {
        return watchedResources;
    }

    @Override
    public Object peer() {
        return remote.place().orElse(remote);
    }

    @Override
    public Omissions omissions(Implementation server) {
        if (omissions == Omissions.SHARED) {
            String name = settings.member == null ? server.name() : settings.member;
            omissions = new Omissions(peer(), "The server " + Printable.excerpt(name));
        }
        return omissions;
    }

    @Override
    public Omissions omissions() {
        return omissions;
    }

    // ---- the link

    @Override
    public Links links() {
        return links;
    }

    ServerLink known() {
        return links.known();
    }

    ServerLink link() throws InterruptedException {
        return links.current();
    }

    @Override
    public boolean hasConnected() {
        return links.latest() != null;
    }

    @Override
    public void opened() {
        keepAlive.start(); // again, where the server was lost
    }

    @Override
    public void replacing() {
        tools.forget(); // another process may offer other tools
        cache.clear();
    }

    @Override
    public void restore(ServerLink link, @Nullable SessionExpiredException why)
            throws InterruptedException {
        link.restore(level, watchedResources.uris(), new Restored(link));
        if (why != null) {
            notices.renewed(why);
        }
    }

    private final class Restored implements ServerLink.Restoring {
        private final ServerLink link;

        Restored(ServerLink link) {
            this.link = link;
        }

        @Override
        public <P extends RequestParams> void send(Method<P, ?> method, P params)
                throws InterruptedException {
            try {
                link.call(method, params, defaults);
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
    }

    @Override
    public void lost(ConnectionException why) {
        notices.connectionLost(why);
    }

    /** A stream of the server could not be resumed: finds out soon whether the server is gone. */
    @Override
    public void unreachable() {
        keepAlive.suspect();
    }

    private final class Pings implements KeepAlive.Ping {
        @Override
        public void send(Duration limit) throws InterruptedException {
            pipeline.keepAlive(limit);
        }

        @Override
        public void lost(ConnectionException why) {
            links.lost(why);
        }
    }

    // ---- changes

    @Override
    public NotificationFilter wantedChanges(ServerCapabilities server) {
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

    private static @Nullable Boolean wanted(
            Mailbox.@Nullable Listener<?> listener, boolean offered) {
        return listener != null && offered ? true : null;
    }

    /** Returns the tasks that the stream of changes is about; others are polled. */
    private List<String> awaitedTasks() {
        return tasks.all().awaited().stream().map(TaskId::value).sorted().limit(MAX_TASKS).toList();
    }

    @Override
    public void missedChanges(NotificationFilter granted) {
        cache.clear();
        notices.missed(granted);
        tasks.look(granted.tasks());
    }

    /** Looks at tasks that may have changed before the server began to send their changes. */
    @Override
    public void changesGranted(NotificationFilter granted, NotificationFilter before) {
        Set<String> added = new HashSet<>(granted.tasks());
        added.removeAll(before.tasks());
        tasks.look(added);
    }

    /** A changed list could not be read; that is tried again after a while. Returns at once. */
    private void readLater(Notification<?> changed) {
        if (!links.isLost()) {
            timers.schedule(ListReader.AGAIN, () -> notices.listChanged(changed));
        }
    }

    @Override
    public void readDefinition(String tool, long seen, CallOptions options)
            throws InterruptedException {
        new ListCalls(this, options).learnAgain(tool, seen);
    }

    // ---- the state that each link has

    /** A client that listens to log messages gets those of level {@code info} by default. */
    @Override
    public @Nullable LoggingLevel level() {
        LoggingLevel wanted = level;
        return wanted == null && settings.onLog != null ? LoggingLevel.INFO : wanted;
    }

    void keepLevel(LoggingLevel wanted) {
        level = wanted;
    }

    void keepRoots(List<Root> replacement) {
        roots = replacement;
    }

    /** Notifies the server that the roots changed. */
    void notifyRootsChanged() {
        ServerLink link = links.latest();
        if (link != null) {
            link.rootsChanged();
        }
    }

    /** Waits until the log messages that have come so far were handled; false if not in time. */
    boolean awaitLog(Duration limit) throws InterruptedException {
        ServerLink link = links.latest();
        if (link == null || settings.onLog == null || link.hasEnded()) {
            return true;
        }
        return notices.awaitLog(link.channel().connection(), limit, timers);
    }

    @Override
    public void close() {
        keepAlive.stop();
        links.close();
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
