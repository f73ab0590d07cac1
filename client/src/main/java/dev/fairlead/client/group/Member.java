package dev.fairlead.client.group;

import dev.fairlead.client.McpClient;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.LoggingLevel;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Resource;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One server of a group. A thread of its own connects to it, waits for the loss of the connection,
 * and after a while connects again, until the member is closed.
 */
final class Member {
    private static final System.Logger LOGGER = System.getLogger(Member.class.getName());

    /** How long a server may take to show that it is there, after a request was lost. */
    static final Duration PROBE = Duration.ofSeconds(5);

    /** What a member tells its group, which never calls back. */
    interface Group {
        void statusChanged(ServerStatus status);

        void listsChanged();
    }

    private final String name;
    private final Remote remote;
    private final Consumer<McpClient.Builder> options;
    private final GroupSettings settings;
    private final Timers timers;
    private final Group group;
    private final Watches watches;
    private final Thread thread;
    private final AtomicBoolean probing = new AtomicBoolean();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final ReentrantLock listing = new ReentrantLock(); // held while lists are read
    private volatile Lists lists = Lists.NONE;
    private volatile Instant read = Instant.MIN;
    private volatile String lastReason = "";
    private volatile Instant lastSeen = Instant.MIN;
    private volatile @Nullable LoggingLevel level;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // guarded by lock
    private ServerStatus status;
    private @Nullable McpClient client;
    private int connections; // what comes from an earlier one does not count
    private @Nullable String loss;
    private boolean settled;
    private boolean closed;

    Member(
            String name,
            Remote remote,
            Consumer<McpClient.Builder> options,
            GroupSettings settings,
            Timers timers,
            Group group) {
        this.name = name;
        this.remote = remote;
        this.options = options;
        this.settings = settings;
        this.timers = timers;
        this.group = group;
        this.watches = new Watches(name);
        this.status = new ServerStatus(name, ServerState.CONNECTING, null);
        this.thread = Thread.ofVirtual().name("mcp-group-" + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    String name() {
        return name;
    }

    Lists lists() {
        return lists;
    }

    Watches watches() {
        return watches;
    }

    // ---- the life of the connection, on the member's own thread

    private void run() {
        int failures = 0;
        try {
            while (!isClosed()) {
                Instant began = timers.clock().instant();
                String why = serve();
                Duration lasted = Duration.between(began, timers.clock().instant());
                failures = lasted.compareTo(settings.backoff.longest()) > 0 ? 1 : failures + 1;
                failed(why);
                pause(settings.backoff.delay(failures));
                forgetLists();
            }
        } catch (InterruptedException e) {
            // close() has no other way to end a wait for the server
        }
    }

    /** Connects, and returns when the connection is lost, or there is none, and why. */
    private String serve() throws InterruptedException {
        int connection = begin();
        try (McpClient opened = open(connection)) {
            enter(opened);
            restore(opened);
            String why = awaitLoss();
            lastSeen = timers.clock().instant();
            return why;
        } catch (CallException e) {
            return e.getMessage();
        } catch (RuntimeException e) { // of a transport or the options of the user
            LOGGER.log(Level.WARNING, "Connecting to the server " + name + " failed", e);
            return "connecting failed: " + e;
        }
    }

    private int begin() {
        int connection;
        lock.lock();
        try {
            loss = null;
            connection = ++connections;
        } finally {
            lock.unlock();
        }
        become(ServerState.CONNECTING, null, null);
        return connection;
    }

    private McpClient open(int connection) throws InterruptedException {
        McpClient.Builder builder = settings.client(name);
        options.accept(builder);
        return builder.onToolsChanged(
                        list -> change(connection, (now, at) -> now.withTools(list.tools())))
                .onResourcesChanged(list -> resourcesChanged(connection, list.resources()))
                .onPromptsChanged(
                        list -> change(connection, (now, at) -> now.withPrompts(list.prompts())))
                .onConnectionLost(why -> lost(connection, why.getMessage()))
                .connect(remote, new SharedTimers(timers));
    }

    /** Reads the lists, then lets requests pass. */
    private void enter(McpClient opened) throws InterruptedException {
        listing.lockInterruptibly();
        try {
            lists = Lists.read(name, opened);
            read = timers.clock().instant();
            group.listsChanged();
            become(ServerState.CONNECTED, null, opened);
        } finally {
            listing.unlock();
        }
        LOGGER.log(Level.INFO, "The server {0} is connected", name);
    }

    private String awaitLoss() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (loss == null) {
                changed.await();
            }
            return loss;
        } finally {
            lock.unlock();
        }
    }

    /** The connection is gone: from here on calls fail at once. */
    private void lost(int connection, String why) {
        lock.lock();
        try {
            if (connection != connections || loss != null) {
                return;
            }
            loss = why;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        failed(why);
    }

    private void failed(String why) {
        become(ServerState.FAILED, why, null);
        Level weight = why.equals(lastReason) ? Level.DEBUG : Level.WARNING;
        lastReason = why;
        LOGGER.log(weight, "The server {0} is gone: {1}", name, why);
    }

    private void become(ServerState state, @Nullable String reason, @Nullable McpClient now) {
        ServerStatus next = new ServerStatus(name, state, reason);
        boolean news;
        lock.lock();
        try {
            if (closed || (state == ServerState.CONNECTED && loss != null)) {
                return; // over already
            }
            news = !next.equals(status) || (!settled && state != ServerState.CONNECTING);
            status = next;
            client = now;
            settled |= state != ServerState.CONNECTING;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (news) {
            group.statusChanged(next);
        }
    }

    private void pause(Duration delay) throws InterruptedException {
        boolean[] over = new boolean[1]; // guarded by lock
        Timers.Timer timer = timers.schedule(delay, () -> end(over));
        lock.lockInterruptibly();
        try {
            while (!over[0]) {
                changed.await();
            }
        } finally {
            lock.unlock();
            timer.cancel();
        }
    }

    private void end(boolean[] pause) {
        lock.lock();
        try {
            pause[0] = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A new connection gets what the one before had. */
    private void restore(McpClient opened) throws InterruptedException {
        LoggingLevel wanted = level;
        if (wanted != null) {
            setLoggingLevel(opened, wanted);
        }
        watches.restore(opened);
    }

    // ---- lists

    /** What becomes of the lists; runs while nobody else reads them. */
    @FunctionalInterface
    private interface Change {
        Lists of(Lists now, McpClient client) throws InterruptedException;
    }

    /** The notification tells of the templates too, which are not in its list. */
    private void resourcesChanged(int connection, List<Resource> resources)
            throws InterruptedException {
        change(connection, (now, at) -> now.withResources(resources, Lists.templates(name, at)));
    }

    /**
     * Takes in what was read after a change was told. Before the first reading of a connection has
     * ended it has to wait, and if that has not begun there is nothing to do.
     */
    private void change(int connection, Change change) throws InterruptedException {
        listing.lockInterruptibly();
        try {
            McpClient now = clientOf(connection);
            if (now == null) {
                return;
            }
            lists = change.of(lists, now);
        } finally {
            listing.unlock();
        }
        group.listsChanged();
    }

    private @Nullable McpClient clientOf(int connection) {
        lock.lock();
        try {
            return connection == connections ? client : null;
        } finally {
            lock.unlock();
        }
    }

    /** What a server had that is gone for too long is not listed any more. */
    private void forgetLists() {
        Duration gone = Duration.between(lastSeen, timers.clock().instant());
        if (lists != Lists.NONE && gone.compareTo(settings.keepLists) >= 0) {
            lists = Lists.NONE;
            group.listsChanged();
        }
    }

    private void refresh() throws InterruptedException {
        int connection;
        lock.lockInterruptibly();
        try {
            connection = connections;
        } finally {
            lock.unlock();
        }
        change(connection, (now, at) -> Lists.read(name, at));
        read = timers.clock().instant();
    }

    /** Reads lists anew, in the background, that nobody promised to keep up to date. */
    void refreshIfOld() {
        if (lists.areKeptUpToDate()
                || timers.clock().instant().isBefore(read.plus(settings.listAge))
                || status().state() != ServerState.CONNECTED
                || !refreshing.compareAndSet(false, true)) {
            return;
        }
        Thread.ofVirtual().name("mcp-group-refresh").start(this::tryRefresh);
    }

    /** Reads the lists anew; where that fails they stay as they were. */
    void tryRefresh() {
        try {
            refresh();
        } catch (CallException e) {
            LOGGER.log(Level.DEBUG, "The lists of {0} stay as they were: {1}", name, e.toString());
        } catch (InterruptedException e) { // nobody knows this thread
            Thread.currentThread().interrupt();
        } finally {
            refreshing.set(false);
        }
    }

    // ---- requests

    /** What is asked of the server. */
    @FunctionalInterface
    interface Request<R> {
        R on(McpClient client) throws InterruptedException;
    }

    ServerStatus status() {
        lock.lock();
        try {
            return status;
        } finally {
            lock.unlock();
        }
    }

    boolean isSettled() {
        lock.lock();
        try {
            return settled;
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** The client of the connection that there is. */
    McpClient client() {
        lock.lock();
        try {
            if (client == null) {
                String why = status.reason();
                throw new ServerUnavailableException(
                        name, why == null ? "it is being connected to" : why, null);
            }
            return client;
        } finally {
            lock.unlock();
        }
    }

    /** Sends a request, on the caller's thread. */
    <R> R call(Request<R> request) throws InterruptedException {
        McpClient now = client();
        try {
            return request.on(now);
        } catch (ConnectionException e) {
            suspect(now);
            throw new ServerUnavailableException(name, e.getMessage(), e);
        }
    }

    /**
     * Over HTTP nothing but a request shows that a server is gone; one lost request may be luck.
     */
    private void suspect(McpClient used) {
        int connection;
        lock.lock();
        try {
            if (!used.equals(client) || !probing.compareAndSet(false, true)) {
                return;
            }
            connection = connections;
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().name("mcp-group-probe").start(() -> probe(used, connection));
    }

    private void probe(McpClient used, int connection) {
        try {
            used.withTimeout(PROBE).ping();
        } catch (JsonRpcException e) {
            LOGGER.log(Level.DEBUG, "{0} is there, but refuses a ping: {1}", name, e.getMessage());
        } catch (CallException e) {
            lost(connection, e.getMessage());
        } catch (InterruptedException e) { // nobody knows this thread
            Thread.currentThread().interrupt();
        } finally {
            probing.set(false);
        }
    }

    void setLoggingLevel(LoggingLevel wanted) throws InterruptedException {
        level = wanted;
        McpClient now;
        lock.lockInterruptibly();
        try {
            now = client;
        } finally {
            lock.unlock();
        }
        if (now != null) {
            setLoggingLevel(now, wanted);
        }
    }

    private void setLoggingLevel(McpClient now, LoggingLevel wanted) throws InterruptedException {
        try {
            if (now.serverCapabilities().logging()) {
                now.setLoggingLevel(wanted);
            }
        } catch (CallException e) {
            LOGGER.log(
                    Level.WARNING,
                    "The server {0} did not take the log level: {1}",
                    name,
                    e.getMessage());
        }
    }

    void rootsChanged() {
        try {
            client().rootsChanged();
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "{0} will ask for the roots: {1}", name, e.getMessage());
        }
    }

    // ---- the end

    /** Begins to end: no more calls, no more connections. */
    void stop() {
        become(ServerState.FAILED, "it is in the group no longer", null);
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        watches.close();
        thread.interrupt();
    }

    /** Waits until the connection has been closed in the order of its transport. */
    void awaitEnd() throws InterruptedException {
        thread.join();
    }
}
