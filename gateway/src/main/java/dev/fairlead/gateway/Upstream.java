package dev.fairlead.gateway;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
import dev.fairlead.client.group.McpClients;
import dev.fairlead.client.group.ServerUnavailableException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.server.handler.ClientSession;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections of one session to the servers behind the gateway. A thread of its own opens them
 * with the first use; requests wait for it, and go away without harm to the others that wait.
 */
final class Upstream implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Upstream.class.getName());

    private final Implementation gateway;
    private final UpstreamSettings settings;
    private final Timers timers;
    private final @Nullable ClientSession session;
    private final CallsUnderWay underWay;
    private final FutureTask<McpClients> opening = new FutureTask<>(this::open);
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    /** The most characters of the URIs that a session watches. */
    static final int MAX_CHARACTERS = 256 << 10;

    private final Map<String, Subscription> watches = new HashMap<>();
    private int subscribing;
    private @Nullable Thread opener;
    private volatile @Nullable McpClients servers;
    private @Nullable LoggingLevel level;
    private boolean closed;

    /**
     * @param session null for the connections that clients without sessions share
     */
    Upstream(
            Implementation gateway,
            UpstreamSettings settings,
            Timers timers,
            @Nullable ClientSession session) {
        this.gateway = gateway;
        this.settings = settings;
        this.timers = timers;
        this.session = session;
        this.underWay = new CallsUnderWay(session);
    }

    CallsUnderWay underWay() {
        return underWay;
    }

    /** The servers; waits until they are connected, as long as the settings say. */
    McpClients servers() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!closed && opener == null) {
                opener = Thread.ofVirtual().name("mcp-gateway-open").start(opening);
            }
        } finally {
            lock.unlock();
        }
        try {
            return opening.get();
        } catch (CancellationException e) {
            throw JsonRpcException.invalidRequest("The session has ended");
        } catch (ExecutionException e) {
            throw new IllegalStateException("the servers cannot be connected to", e.getCause());
        }
    }

    // ---- connecting

    /** A level that is set meanwhile is told before others use the connections. */
    private McpClients open() throws InterruptedException {
        LoggingLevel told = level();
        McpClients opened = Internals.withTimers(group(told), timers::borrowed).connect();
        boolean kept = false;
        try {
            while (!keep(opened, told)) {
                told = level();
                if (told != null) {
                    opened.setLoggingLevel(told);
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

    private boolean keep(McpClients opened, @Nullable LoggingLevel told) {
        lock.lock();
        try {
            if (closed) {
                throw new CancellationException("the session has ended");
            }
            if (told != level) {
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
        if (session != null) {
            group.onToolsChanged(list -> session.toolsChanged())
                    .onResourcesChanged(list -> session.resourcesChanged())
                    .onPromptsChanged(list -> session.promptsChanged())
                    .clientDefaults((server, client) -> passUp(session, server, client));
        }
        for (UpstreamSettings.Server server : settings.servers) {
            Crossing crossing = new Crossing(server.name(), underWay, this::awaitLog);
            group.server(
                    server.name(),
                    server.remote(),
                    client -> {
                        server.options().accept(client);
                        client.allowInvalidStructuredContent().intercept(crossing::send);
                        if (session != null) {
                            crossing.ask(session.capabilities(), client);
                        }
                    });
        }
        return group;
    }

    /**
     * Declares what the client behind the gateway declared, whose answers come from elsewhere, and
     * passes on what the server reports.
     */
    private void passUp(ClientSession told, String server, McpClient.Builder client) {
        ClientCapabilities able = told.capabilities();
        if (able.roots()) {
            client.onRoots(List::of);
        }
        if (able.sampling()) {
            client.onSample(
                    request -> {
                        throw new IllegalStateException("the client behind the gateway is asked");
                    });
        }
        if (able.elicitationForm()) {
            client.onElicitForm(form -> Answer.cancel());
        }
        if (able.elicitationUrl()) {
            client.onElicitUrl(link -> Answer.accept());
        }
        client.onLog(entry -> underWay.log(server, entry.level(), entry.logger(), entry.data()))
                .onElicitationComplete(
                        id ->
                                notify(
                                        told,
                                        Notifications.ELICITATION_COMPLETE.name(),
                                        JsonObject.of("elicitationId", id)));
    }

    private static void notify(ClientSession told, String method, JsonObject params) {
        try {
            told.notify(method, params);
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "{0} was not delivered: {1}", method, e.getMessage());
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

    // ---- what the session keeps at the servers

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
        ClientSession told = session;
        if (told == null) {
            return; // nobody could be told
        }
        McpClients open = servers();
        if (!beginToWatch(uri)) {
            return;
        }
        Subscription watch = null;
        try {
            watch = open.withTimeout(limit).watch(uri, changed -> updated(told, uri, changed));
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
                        "Too many subscriptions: their URIs may have %d characters in all"
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

    /** A resource below the one that is watched is told as it came. */
    private static void updated(ClientSession told, String watched, String changed) {
        if (changed.equals(watched)) {
            told.resourceUpdated(changed);
        } else {
            notify(told, Notifications.RESOURCE_UPDATED.name(), JsonObject.of("uri", changed));
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
        if (open != null && session != null && session.capabilities().roots()) {
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
            Uninterruptibly.await(ending::join); // closes what it opens
        }
    }
}
