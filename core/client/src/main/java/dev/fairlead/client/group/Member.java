package dev.fairlead.client.group;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One server of a group. A thread of its own connects to it, waits for the loss of the connection,
 * and after a while connects again, until the member is closed.
 */
final class Member {
    private static final System.Logger LOGGER = System.getLogger(Member.class.getName());

    /** How long a server may take to show that it is there, after a request was lost. */
    static final Duration PROBE = Duration.ofSeconds(5);

    private final String name;
    private final Remote remote;
    private final Consumer<McpClient.Builder> options;
    private final GroupSettings settings;
    private final Timers timers;
    private final Members group; // which never calls back
    private final Watches watches;
    private final MemberState state;
    private final Thread thread;
    private final AtomicBoolean probing = new AtomicBoolean();
    private final KeptLists lists;
    private final ReentrantLock levelling = new ReentrantLock(); // held while a level is sent
    private volatile String lastReason = "";
    private int failures; // in a row; used by the thread only

    Member(
            String name,
            Remote remote,
            Consumer<McpClient.Builder> options,
            GroupSettings settings,
            Timers timers,
            Members group) {
        this.name = name;
        this.remote = remote;
        this.options = options;
        this.settings = settings;
        this.timers = timers;
        this.group = group;
        this.watches = new Watches(name, timers);
        this.state = new MemberState(name, settings.backoff, timers, group::statusChanged);
        this.lists = new KeptLists(name, settings, timers, state, group::listsChanged);
        this.thread = Thread.ofVirtual().name("mcp-group-" + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    String name() {
        return name;
    }

    KeptLists lists() {
        return lists;
    }

    Watches watches() {
        return watches;
    }

    ServerStatus status() {
        return state.status();
    }

    boolean isSettled() {
        return state.isSettled();
    }

    /** The client of the connection that there is. */
    McpClient client() {
        return state.client();
    }

    // ---- the life of the connection, on the member's own thread

    private void run() {
        LastingLoop.run(LOGGER, name, "The connection to a server is made again", this::live);
    }

    /** Connects once, and waits until the next time. Returns false once it is closed. */
    private boolean live() throws InterruptedException {
        if (state.isClosed()) {
            return false;
        }
        Instant began = timers.clock().instant();
        String why = serve();
        Duration lasted = Duration.between(began, timers.clock().instant());
        failures = lasted.compareTo(settings.backoff.longest()) > 0 ? 1 : failures + 1;
        failed(state.newest(), why);
        state.pause(settings.backoff.delay(failures));
        hideIfGone();
        return true;
    }

    /** The naming of the user may fail. */
    private void hideIfGone() {
        try {
            lists.hideIfGone();
        } catch (RuntimeException | Error e) {
            LimitedLog.failed(
                    LOGGER, Level.WARNING, name, e, "The lists of {0} could not be hidden", name);
        }
    }

    /** Connects, and returns when the connection is lost, or there is none, and why. */
    private String serve() throws InterruptedException {
        int connection = state.begin();
        try (McpClient opened = open(connection)) {
            LoggingLevel sent = sendLoggingLevel(opened, opened); // before any request of others
            enter(opened, connection);
            restore(opened, sent);
            String why = state.awaitLoss();
            lists.leave();
            watches.leave();
            return why;
        } catch (CallException e) {
            return e.getMessage();
        } catch (RuntimeException | Error e) { // of a transport or the options of the user
            LimitedLog.failed(
                    LOGGER, Level.WARNING, name, e, "Connecting to the server {0} failed", name);
            return "connecting failed: " + e;
        }
    }

    private McpClient open(int connection) throws InterruptedException {
        McpClient.Builder builder = Internals.withTimers(settings.client(name), timers::borrowed);
        options.accept(builder);
        lists.listenTo(builder, connection);
        return Internals.memberOfGroup(builder, name)
                .onNewSession(expired -> renewed())
                .onConnectionLost(why -> lost(connection, why.getMessage()))
                .connect(remote);
    }

    /** Reads the lists, then lets requests pass. */
    private void enter(McpClient opened, int connection) throws InterruptedException {
        lists.enter(opened, () -> state.become(connection, ServerState.CONNECTED, null, opened));
        LimitedLog.log(LOGGER, Level.INFO, name, "The server {0} is connected", name);
    }

    /**
     * Gives a new session the subscriptions of the connection before, and the level that was set
     * meanwhile.
     */
    private void restore(McpClient opened, @Nullable LoggingLevel sent)
            throws InterruptedException {
        if (group.level() != sent) {
            sendLoggingLevel(opened, opened);
        }
        watches.restore(opened);
    }

    /**
     * Handles a session that the server forgot: its features and the watched resources may be
     * different now.
     */
    private void renewed() throws InterruptedException {
        watches.notifyAllWatches();
        lists.refresh();
    }

    /** The connection is gone: from here on calls fail at once. */
    private void lost(int connection, String why) {
        if (state.lose(connection, why)) {
            failed(connection, why);
        }
    }

    private void failed(int connection, String why) {
        if (state.become(connection, ServerState.FAILED, why, null)) {
            Level weight = why.equals(lastReason) ? Level.DEBUG : Level.WARNING;
            lastReason = why;
            LimitedLog.log(
                    LOGGER,
                    weight,
                    name,
                    "The server {0} is gone: {1}",
                    name,
                    Printable.excerpt(why));
        }
    }

    // ---- requests

    /** A request to the server. */
    @FunctionalInterface
    interface Request<R> {
        R on(McpClient client) throws InterruptedException;
    }

    /** Sends a request, on the caller's thread. */
    <R> R call(Request<R> request) throws InterruptedException {
        McpClient now = state.newestClient();
        if (now == null) {
            state.awaitAttempt();
            now = client();
        }
        try {
            return request.on(now);
        } catch (ConnectionException e) {
            suspect(now);
            throw new ServerUnavailableException(name, e.getMessage(), e);
        } catch (JsonRpcException e) {
            if (e.code() == McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION) {
                otherRevision(now, e);
            }
            throw e;
        }
    }

    /**
     * The server has started again and speaks other revisions, which a new connection finds out.
     */
    private void otherRevision(McpClient used, JsonRpcException refusal) {
        int connection = state.connectionOf(used);
        if (connection > 0) {
            lost(connection, refusal.getMessage());
        }
    }

    /**
     * Over HTTP nothing but a request shows that a server is gone; one lost request may be luck.
     */
    private void suspect(McpClient used) {
        int connection = state.connectionOf(used);
        if (connection == 0 || !probing.compareAndSet(false, true)) {
            return;
        }
        try {
            Thread.ofVirtual().name("mcp-group-probe").start(() -> probe(used, connection));
        } catch (OutOfMemoryError e) { // the system has no more threads
            probing.set(false);
            LimitedLog.failed(
                    LOGGER, Level.WARNING, name, e, "The server {0} could not be probed", name);
        }
    }

    private void probe(McpClient used, int connection) {
        try {
            used.withTimeout(PROBE).ping();
        } catch (JsonRpcException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} is there, but refuses a ping: {1}",
                    name,
                    Printable.excerpt(e.getMessage()));
        } catch (CallException e) {
            lost(connection, e.getMessage());
        } catch (InterruptedException e) { // no other code has this thread
            Thread.currentThread().interrupt();
        } finally {
            probing.set(false);
        }
    }

    /** Sends the log level that is asked for; to a server that is not there when it comes. */
    void sendLoggingLevel(UnaryOperator<ClientRequests> options) throws InterruptedException {
        McpClient now = state.newestClient();
        if (now != null) {
            sendLoggingLevel(options.apply(now), now);
        }
    }

    /**
     * The level is read when it is sent, and one is sent after the other: so the last one that a
     * server receives is the last one that was asked for.
     */
    private @Nullable LoggingLevel sendLoggingLevel(ClientRequests requests, McpClient now)
            throws InterruptedException {
        levelling.lockInterruptibly();
        LoggingLevel wanted = group.level();
        try {
            if (wanted != null && now.serverCapabilities().logging()) {
                requests.setLoggingLevel(wanted);
            }
        } catch (CallException e) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    name,
                    "The server {0} did not take the log level: {1}",
                    name,
                    Printable.excerpt(e.getMessage()));
        } finally {
            levelling.unlock();
        }
        return wanted;
    }

    void rootsChanged() {
        try {
            client().rootsChanged();
        } catch (ConnectionException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} will ask for the roots: {1}",
                    name,
                    Printable.excerpt(e.getMessage()));
        }
    }

    // ---- the end

    /** Begins to end: no more calls, no more connections. */
    void stop() {
        if (state.close()) {
            watches.close();
            thread.interrupt();
        }
    }

    /** Waits until the connection has been closed in the order of its transport: not long. */
    void awaitEnd() {
        Uninterruptibly.await(thread::join);
    }
}
