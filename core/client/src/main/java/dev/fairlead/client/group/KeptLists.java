package dev.fairlead.client.group;

import dev.fairlead.client.McpClient;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lists of one server, kept up to date: read again when the server reports a change, or
 * periodically if it does not report changes. Thread-safe.
 */
final class KeptLists {
    private static final System.Logger LOGGER = System.getLogger(KeptLists.class.getName());

    private final String server;
    private final GroupSettings settings;
    private final Timers timers;
    private final MemberState state;
    private final Runnable onChange;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final ReentrantLock reading = new ReentrantLock(); // held while lists are read
    private volatile Lists known = Lists.NONE; // replaced under the lock of reading
    private volatile boolean shown;
    private volatile Instant read = Instant.MIN;
    private volatile Instant lastSeen = Instant.MIN;

    /**
     * @param onChange runs after each change
     */
    KeptLists(
            String server,
            GroupSettings settings,
            Timers timers,
            MemberState state,
            Runnable onChange) {
        this.server = server;
        this.settings = settings;
        this.timers = timers;
        this.state = state;
        this.onChange = onChange;
    }

    /** Returns the lists to show. */
    Lists shown() {
        return shown ? known : Lists.NONE;
    }

    /**
     * Returns the lists that were read last, also of a server that is gone for too long to be
     * listed.
     */
    Lists known() {
        return known;
    }

    /** Handles the change notifications of a connection. */
    void listenTo(McpClient.Builder client, int connection) {
        client.onToolsChanged(list -> change(connection, (now, at) -> now.withTools(list.tools())))
                .onResourcesChanged( // covers the templates too, which are not in its list
                        list ->
                                change(
                                        connection,
                                        (now, at) ->
                                                now.withResources(list.resources())
                                                        .withTemplatesOf(server, at)))
                .onPromptsChanged(
                        list -> change(connection, (now, at) -> now.withPrompts(list.prompts())));
    }

    /** Reads the lists of a new connection; changes that are reported meanwhile wait. */
    void enter(McpClient opened, Runnable use) throws InterruptedException {
        reading.lockInterruptibly();
        try {
            Lists listed = Lists.read(server, opened, known);
            read = timers.clock().instant();
            lastSeen = read;
            show(listed, true);
            use.run();
        } finally {
            reading.unlock();
        }
    }

    /** The connection is over. */
    void leave() {
        lastSeen = timers.clock().instant();
    }

    /** Hides the lists of a server that is gone for too long. */
    void hideIfGone() {
        Duration gone = Duration.between(lastSeen, timers.clock().instant());
        if (shown && gone.compareTo(settings.keepLists) >= 0) {
            shown = false;
            onChange.run();
        }
    }

    /** Computes the new lists; runs while no other thread reads them from the server. */
    @FunctionalInterface
    private interface Change {
        Lists of(Lists now, McpClient client) throws InterruptedException;
    }

    /**
     * Takes the lists that were read after a reported change. This waits for the first reading of a
     * connection to end; if that has not begun, there is nothing to do.
     */
    private void change(int connection, Change change) throws InterruptedException {
        reading.lockInterruptibly();
        try {
            McpClient now = state.clientOf(connection);
            if (now == null) {
                return;
            }
            show(change.of(known, now), shown);
        } finally {
            reading.unlock();
        }
    }

    /**
     * Replaces the lists, under the lock of reading. Lists with which the group fails are not kept,
     * since it would fail with them after each change of another server.
     */
    private void show(Lists listed, boolean isShown) {
        Lists before = known;
        boolean wasShown = shown;
        known = listed;
        shown = isShown;
        try {
            onChange.run();
        } catch (RuntimeException | Error e) {
            known = before;
            shown = wasShown;
            throw e;
        }
    }

    /** Reads the lists again from the server, also those that it allows to keep. */
    void refresh() throws InterruptedException {
        refresh((now, at) -> Lists.read(server, at, at.withFreshResults(), now));
    }

    private void refresh(Change reading) throws InterruptedException {
        change(state.newest(), reading);
        read = timers.clock().instant();
    }

    /**
     * Reads lists again in the background if they are old and the server does not report their
     * changes.
     */
    void refreshIfOld() {
        if (!known.areKeptUpToDate()
                && !timers.clock().instant().isBefore(read.plus(settings.listAge))
                && state.newestClient() != null
                && refreshing.compareAndSet(false, true)) {
            try {
                Thread.ofVirtual().name("mcp-group-refresh").start(this::tryRefresh);
            } catch (OutOfMemoryError e) { // the system has no more threads
                refreshing.set(false);
                LimitedLog.failed(
                        LOGGER,
                        Level.WARNING,
                        server,
                        e,
                        "The lists of {0} stay as they were",
                        server);
            }
        }
    }

    private void tryRefresh() {
        try {
            refresh((now, at) -> Lists.read(server, at, now));
        } catch (CallException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "The lists of {0} stay as they were: {1}",
                    server,
                    Printable.excerpt(e.toString()));
        } catch (InterruptedException e) { // no other code has this thread
            Thread.currentThread().interrupt();
        } finally {
            refreshing.set(false);
        }
    }
}
