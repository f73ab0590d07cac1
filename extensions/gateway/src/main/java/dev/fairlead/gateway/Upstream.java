package dev.fairlead.gateway;

import dev.fairlead.client.McpRequests;
import dev.fairlead.client.Subscription;
import dev.fairlead.client.group.McpClients;
import dev.fairlead.client.group.ServerUnavailableException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.SubscriptionStream;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections of one session, or of clients without one, to the servers behind the gateway. A
 * thread of its own opens them with the first use; requests wait for it, and go away without harm
 * to the others that wait.
 */
final class Upstream implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Upstream.class.getName());

    /** The most characters of the URIs that a session watches. */
    static final int MAX_CHARACTERS = 256 << 10;

    /** The most resources of one stream of changes that are asked for at a time. */
    static final int WATCHES = 100;

    private static final ThreadFactory WATCHING =
            Thread.ofVirtual().name("mcp-gateway-watch").factory();

    private final Implementation gateway;
    private final UpstreamSettings settings;
    private final Timers timers;
    private final Downstream client;
    private final Leases leases;
    private final CallsUnderWay underWay;
    private final Set<SubscriptionStream> streams;
    private final OutputSchemas outputSchemas = new OutputSchemas(OutputSchemas::isValid);
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private final Map<String, Subscription> watches = new HashMap<>();
    private int subscribing;
    private FutureTask<McpClients> opening = new FutureTask<>(this::open);
    private @Nullable Thread opener;
    private volatile @Nullable McpClients servers;
    private @Nullable LoggingLevel level;
    private boolean closed;

    /**
     * @param streams of changes of the client, which its other connections use as well
     */
    Upstream(
            Implementation gateway,
            UpstreamSettings settings,
            Timers timers,
            Leases leases,
            Downstream client,
            Set<SubscriptionStream> streams) {
        this.gateway = gateway;
        this.settings = settings;
        this.timers = timers;
        this.leases = leases;
        this.client = client;
        this.streams = streams;
        this.underWay = new CallsUnderWay(client.session(), leases::signal);
        this.level = client.level();
    }

    CallsUnderWay underWay() {
        return underWay;
    }

    Set<SubscriptionStream> streams() {
        return streams;
    }

    OutputSchemas outputSchemas() {
        return outputSchemas;
    }

    /**
     * The servers; waits until they are connected, as long as the settings say. Where that has
     * failed, the next request tries again.
     */
    McpClients servers() throws InterruptedException {
        FutureTask<McpClients> wanted;
        lock.lockInterruptibly();
        try {
            if (!closed && opening.state() == Future.State.FAILED) {
                opening = new FutureTask<>(this::open);
                opener = null;
            }
            if (!closed && opener == null) {
                opener = Thread.ofVirtual().name("mcp-gateway-open").start(opening);
            }
            wanted = opening;
        } finally {
            lock.unlock();
        }
        try {
            return wanted.get();
        } catch (CancellationException e) {
            throw JsonRpcException.invalidRequest("The session has ended");
        } catch (ExecutionException e) {
            throw new IllegalStateException("the servers cannot be connected to", e.getCause());
        }
    }

    // ---- connecting

    /** A level that is set meanwhile is sent before others use the connections. */
    private McpClients open() throws InterruptedException {
        LoggingLevel sent = level();
        McpClients opened = Internals.withTimers(group(sent), timers::borrowed).connect();
        boolean kept = false;
        try {
            while (!keep(opened, sent)) {
                sent = level();
                if (sent != null) {
                    opened.setLoggingLevel(sent);
                }
            }
            kept = true;
            return opened;
        } finally {
            if (!kept) {
                opened.close();
            }
        }
    }

    private @Nullable LoggingLevel level() {
        lock.lock();
        try {
            return level;
        } finally {
            lock.unlock();
        }
    }

    private boolean keep(McpClients opened, @Nullable LoggingLevel sent) {
        lock.lock();
        try {
            if (closed) {
                throw new CancellationException("the session has ended");
            }
            if (sent != level) {
                return false;
            }
            servers = opened;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private McpClients.Builder group(@Nullable LoggingLevel wanted) {
        McpClients.Builder group =
                McpClients.named(gateway.name(), gateway.version())
                        .naming(settings.naming)
                        .connectWait(settings.connectWait)
                        .maxServers(settings.servers.size());
        if (wanted != null) {
            group.loggingLevel(wanted);
        }
        group.onToolsChanged(list -> announce(ListKind.TOOLS))
                .onResourcesChanged(list -> announce(ListKind.RESOURCES))
                .onPromptsChanged(list -> announce(ListKind.PROMPTS))
                .clientDefaults((server, builder) -> crossing(server).declare(builder));
        for (UpstreamSettings.Server server : settings.servers) {
            group.server(
                    server.name(),
                    server.remote(),
                    builder -> {
                        server.options().accept(builder);
                        crossing(server.name()).intercept(builder);
                    });
        }
        return group;
    }

    private Crossing crossing(String server) {
        return new Crossing(server, client, underWay, this::awaitLog, this::sendHeld);
    }

    private void announce(ListKind kind) {
        ClientSession session = client.session();
        switch (kind) {
            case TOOLS -> {
                if (session != null) {
                    session.toolsChanged();
                }
                streams.forEach(SubscriptionStream::toolsChanged);
            }
            case RESOURCES -> {
                if (session != null) {
                    session.resourcesChanged();
                }
                streams.forEach(SubscriptionStream::resourcesChanged);
            }
            case PROMPTS -> {
                if (session != null) {
                    session.promptsChanged();
                }
                streams.forEach(SubscriptionStream::promptsChanged);
            }
        }
    }

    // ---- calls on connections of their own

    private @Nullable Result sendHeld(String server, Call call, MethodCall method)
            throws InterruptedException {
        Era era = method.revision().map(Revision::era).orElse(Era.HANDSHAKE);
        Leases.Key key = new Leases.Key(client, server, era);
        try {
            Lease lease =
                    leases.take(
                            key,
                            () -> underWay.hold(server, call),
                            () -> Lease.open(gateway, settings, timers, key));
            if (lease == null) {
                return null;
            }
            try {
                return lease.send(call, method);
            } catch (CallException e) {
                if (!lease.hasNoSession(e)) {
                    throw e;
                }
                findOut(server);
                throw new UpstreamException(server, e);
            } finally {
                leases.giveBack(lease);
            }
        } catch (ConnectionException e) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    server,
                    "The server {0} is not available for a call: {1}",
                    server,
                    e.getMessage());
            throw UpstreamException.unavailable(server);
        }
    }

    /** Detects on the shared connection which kind of server it is, for the next call. */
    private void findOut(String server) throws InterruptedException {
        try {
            servers().server(server).ping();
        } catch (CallException e) {
            LOGGER.log(Level.DEBUG, "The server {0} refuses a ping: {1}", server, e.getMessage());
        }
    }

    // ---- streams of changes

    /**
     * Requests that changes are announced on a stream until it ends. A server that does not answer
     * in time is left out, so that the client gets the changes of the others.
     *
     * @return the announced changes: resources that no server allows to subscribe to are left out
     */
    NotificationFilter listen(NotificationFilter filter, SubscriptionStream stream, Duration limit)
            throws InterruptedException {
        McpClients open = servers();
        streams.add(stream);
        stream.onClose(() -> streams.remove(stream));
        if (filter.resourceSubscriptions() == null) {
            return filter;
        }
        Duration wait = limit.compareTo(settings.connectWait) < 0 ? limit : settings.connectWait;
        McpRequests requests = open.withTimeout(wait, wait);
        List<Callable<Boolean>> watches = new ArrayList<>();
        filter.uris().forEach(uri -> watches.add(() -> watches(requests, uri, stream)));
        List<String> watched = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(WATCHES, WATCHING)) {
            List<Future<Boolean>> answers =
                    threads.invokeAll(watches, wait.toMillis(), TimeUnit.MILLISECONDS);
            for (int i = 0; i < answers.size(); i++) {
                if (!answers.get(i).isCancelled() && answers.get(i).resultNow()) {
                    watched.add(filter.uris().get(i));
                }
            }
        }
        return filter.withUris(watched);
    }

    private static boolean watches(McpRequests requests, String uri, SubscriptionStream stream)
            throws InterruptedException {
        try {
            Subscription watch = requests.watch(uri, stream::resourceUpdated);
            stream.onClose(watch::close);
            return true;
        } catch (CallException e) {
            LOGGER.log(Level.DEBUG, "The resource {0} is not watched: {1}", uri, e.getMessage());
            return false;
        }
    }

    private void awaitLog(String server) throws InterruptedException {
        McpClients open = servers;
        if (open == null) {
            return;
        }
        try {
            open.server(server).awaitLog(settings.logWait);
        } catch (ServerUnavailableException e) {
            LOGGER.log(Level.DEBUG, "{0} has nothing more to log", server);
        }
    }

    // ---- state of the session at the servers

    void setLoggingLevel(LoggingLevel wanted) throws InterruptedException {
        McpClients open;
        lock.lockInterruptibly();
        try {
            level = wanted;
            open = servers;
        } finally {
            lock.unlock();
        }
        if (open != null) {
            open.setLoggingLevel(wanted);
        }
    }

    void watch(String uri, Duration limit) throws InterruptedException {
        ClientSession session = client.session();
        if (session == null) {
            return; // no message could reach the client
        }
        McpClients open = servers();
        if (!beginToWatch(uri)) {
            return;
        }
        Subscription watch = null;
        try {
            watch = open.withTimeout(limit).watch(uri, changed -> updated(session, uri, changed));
        } finally {
            endOfBeginning(uri, watch);
        }
    }

    /** Takes a place for one more; false if the resource is watched already. */
    private boolean beginToWatch(String uri) {
        lock.lock();
        try {
            if (watches.containsKey(uri)) {
                return false;
            }
            if (watches.size() + subscribing >= settings.maxSubscriptions) {
                throw new JsonRpcException(
                        McpErrorCode.LIMIT_EXCEEDED,
                        "Too many subscriptions: at most "
                                + settings.maxSubscriptions
                                + " are kept");
            }
            long characters = watches.keySet().stream().mapToLong(String::length).sum();
            if (characters + uri.length() > MAX_CHARACTERS) {
                throw new JsonRpcException(
                        McpErrorCode.LIMIT_EXCEEDED,
                        "Too many subscriptions: their URIs may have %s characters in all"
                                .formatted(MAX_CHARACTERS));
            }
            subscribing++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Uses the place for a watch, or gives it back where there is none. */
    private void endOfBeginning(String uri, @Nullable Subscription watch) {
        Subscription before;
        lock.lock();
        try {
            subscribing--;
            before = watch == null ? null : watches.put(uri, watch);
        } finally {
            lock.unlock();
        }
        if (before != null) { // two requests at once
            before.close();
        }
    }

    /** Reports a resource below the watched one as it came. */
    private static void updated(ClientSession session, String watched, String changed) {
        if (changed.equals(watched)) {
            session.resourceUpdated(changed);
        } else {
            updatedBelow(session, changed);
        }
    }

    private static void updatedBelow(ClientSession session, String changed) {
        String method = Notifications.RESOURCE_UPDATED.name();
        try {
            session.notify(method, JsonObject.of("uri", changed));
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "{0} was not delivered: {1}", method, e.getMessage());
        }
    }

    void unwatch(String uri) {
        Subscription watch;
        lock.lock();
        try {
            watch = watches.remove(uri);
        } finally {
            lock.unlock();
        }
        if (watch != null) {
            watch.close();
        }
    }

    /** Does not block; servers that connect later ask for the roots in any case. */
    void rootsChanged() {
        McpClients open = servers;
        if (open != null && client.capabilities().roots()) {
            Thread.ofVirtual().name("mcp-gateway-roots").start(open::rootsChanged);
        }
    }

    @Override
    public void close() {
        Thread ending;
        lock.lock();
        try {
            closed = true;
            ending = opener;
            watches.clear();
            opening.cancel(true);
        } finally {
            lock.unlock();
        }
        McpClients open = servers;
        if (open != null) {
            open.close();
        }
        if (ending != null) {
            Uninterruptibly.await(ending::join); // closes the connections that it opens
        }
    }
}
