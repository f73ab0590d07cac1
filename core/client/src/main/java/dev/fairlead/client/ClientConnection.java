package dev.fairlead.client;

import dev.fairlead.client.calls.CallParts;
import dev.fairlead.client.calls.ListCalls;
import dev.fairlead.client.calls.ListReader;
import dev.fairlead.client.calls.PageVisits;
import dev.fairlead.client.calls.RequestPipeline;
import dev.fairlead.client.changes.WatchedResources;
import dev.fairlead.client.handlers.Elicitation;
import dev.fairlead.client.handlers.Inputs;
import dev.fairlead.client.handlers.Notices;
import dev.fairlead.client.handlers.QuestionWork;
import dev.fairlead.client.handlers.Receiver;
import dev.fairlead.client.handlers.UrlElicitations;
import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.LinkChannel;
import dev.fairlead.client.link.LinkClient;
import dev.fairlead.client.link.LinkContext;
import dev.fairlead.client.link.Links;
import dev.fairlead.client.link.ResponseCache;
import dev.fairlead.client.link.ServerLink;
import dev.fairlead.client.link.ToolDefinitions;
import dev.fairlead.client.tasks.ServerTasks;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.peer.KeepAlive;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.tasks.receiver.TaskReceiver;
import dev.fairlead.tasks.requestor.RemoteTasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The parts of one client and their wiring: its links, and the state that they keep from one to the
 * next.
 */
final class ClientConnection implements LinkClient, AutoCloseable {
    /** How many tasks the stream of changes is about. */
    private static final int MAX_TASKS = 100;

    private final ClientSettings settings;
    private final Timers timers;
    private final UrlElicitations visits;
    private final LinkContext context;
    private final CallParts parts;
    private final Notices notices;
    private final KeepAlive keepAlive;
    private volatile @Nullable TaskReceiver ownTasks;
    private volatile Omissions omissions = Omissions.SHARED; // until the server has named itself
    private volatile List<Root> roots;

    ClientConnection(ClientSettings settings, Remote remote, Timers timers) {
        this.settings = settings;
        this.timers = timers;
        this.roots = settings.roots == null ? List.of() : settings.roots;
        long bytes = settings.maxListenerBytes;
        this.visits = new UrlElicitations(settings.onElicitationComplete, bytes, timers);
        Supplier<Implementation> server = () -> links().known().server().serverInfo();
        Object peer = remote.place().orElse(remote);
        this.context =
                new LinkContext(
                        settings,
                        timers,
                        peer,
                        new ToolDefinitions(
                                peer, settings.lenient, settings.maxItems, settings.maxListBytes),
                        new ResponseCache(settings.maxCacheBytes, timers),
                        new WatchedResources(bytes),
                        new Inputs(settings, () -> roots, server, visits),
                        new AtomicReference<>(),
                        this);
        Links links = new Links(context, remote, this::receiver);
        RequestPipeline pipeline =
                new RequestPipeline(
                        context, links, new PageVisits(new Elicitation(server, settings, visits)));
        ServerTasks tasks = new ServerTasks(links, pipeline, context);
        this.parts = new CallParts(context, links, pipeline, tasks);
        this.notices = new Notices(context, new ListReader(parts, this::readLater), visits, tasks);
        this.keepAlive =
                new KeepAlive(
                        "server",
                        settings.keepAlive,
                        settings.keepAliveFailures,
                        timers,
                        new Pings());
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
        RemoteTasks tasks = parts.tasks().all();
        return new Receiver(channel, settings, () -> roots, notices, tasks, ownTasks, visits);
    }

    CallParts parts() {
        return parts;
    }

    Links links() {
        return parts.links();
    }

    // ---- the links

    @Override
    public Omissions omissions(Implementation server) {
        if (omissions == Omissions.SHARED) {
            String name = settings.member == null ? server.name() : settings.member;
            omissions = new Omissions(context.peer(), "The server " + Printable.excerpt(name));
        }
        return omissions;
    }

    @Override
    public Omissions omissions() {
        return omissions;
    }

    @Override
    public void opened() {
        keepAlive.start(); // again, where the server was lost
    }

    @Override
    public void renewed(SessionExpiredException why) {
        notices.renewed(why);
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
            parts.pipeline().keepAlive(limit);
        }

        @Override
        public void lost(ConnectionException why) {
            links().lost(why);
        }
    }

    // ---- changes

    @Override
    public NotificationFilter wantedChanges(ServerCapabilities server) {
        Set<String> uris = server.resourcesSubscribe() ? context.resources().uris() : Set.of();
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
        return parts.tasks().all().awaited().stream()
                .map(TaskId::value)
                .sorted()
                .limit(MAX_TASKS)
                .toList();
    }

    @Override
    public void missedChanges(NotificationFilter granted) {
        context.cache().clear();
        notices.missed(granted);
        parts.tasks().look(granted.tasks());
    }

    /** Looks at tasks that may have changed before the server began to send their changes. */
    @Override
    public void changesGranted(NotificationFilter granted, NotificationFilter before) {
        Set<String> added = new HashSet<>(granted.tasks());
        added.removeAll(before.tasks());
        parts.tasks().look(added);
    }

    /** A changed list could not be read; that is tried again after a while. Returns at once. */
    private void readLater(Notification<?> changed) {
        if (!links().isLost()) {
            timers.schedule(ListReader.AGAIN, () -> notices.listChanged(changed));
        }
    }

    @Override
    public void readDefinition(String tool, long seen, CallOptions options)
            throws InterruptedException {
        new ListCalls(parts, options).learnAgain(tool, seen);
    }

    // ---- the user

    void keepRoots(List<Root> replacement) {
        roots = replacement;
    }

    /** Notifies the server that the roots changed. */
    void notifyRootsChanged() {
        ServerLink link = links().latest();
        if (link != null) {
            link.rootsChanged();
        }
    }

    /** Waits until the log messages that have come so far were handled; false if not in time. */
    boolean awaitLog(Duration limit) throws InterruptedException {
        ServerLink link = links().latest();
        if (link == null || settings.onLog == null || link.hasEnded()) {
            return true;
        }
        return notices.awaitLog(link.channel().connection(), limit, timers);
    }

    @Override
    public void close() {
        keepAlive.stop();
        links().close();
        parts.tasks().all().close();
        TaskReceiver own = ownTasks;
        if (own != null) {
            own.close();
        }
        visits.close();
        notices.close();
        context.resources().close();
        timers.close();
    }
}
