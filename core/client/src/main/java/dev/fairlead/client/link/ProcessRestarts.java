package dev.fairlead.client.link;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * Starts a server process of revision 2026-07-28 again after it has ended, at most three times a
 * minute: nothing was kept there that the client needs.
 */
public final class ProcessRestarts {
    private static final System.Logger LOGGER = System.getLogger(ProcessRestarts.class.getName());

    private static final int MOST = 3;
    private static final long PERIOD = Duration.ofMinutes(1).toNanos();

    /** The time until the next attempt where the server could not be started. */
    private static final Duration RESTART_WAIT = Duration.ofSeconds(20);

    private final Replacement replacement;
    private final BooleanSupplier closed;
    private final Timers timers;
    private final Deque<Long> starts = new ArrayDeque<>(); // of the last minute; guarded by this
    private final AtomicReference<@Nullable ServerLink> reported = new AtomicReference<>();

    /** Opens a session in place of one whose process has ended. */
    @FunctionalInterface
    public interface Replacement {
        /**
         * @param permission is called before a process is started, and not if there is one already
         */
        ServerLink open(ServerLink ended, Runnable permission) throws InterruptedException;
    }

    /**
     * @param closed whether the client is closed, so that no process is needed
     */
    public ProcessRestarts(Replacement replacement, BooleanSupplier closed, Timers timers) {
        this.replacement = replacement;
        this.closed = closed;
        this.timers = timers;
    }

    /**
     * Starts the server again, unless that was done meanwhile.
     *
     * @throws ConnectionException if that was done three times in the last minute
     */
    public ServerLink restart(ServerLink ended) throws InterruptedException {
        return replacement.open(ended, this::takePermit);
    }

    private void takePermit() {
        long now = timers.nanoTime();
        synchronized (this) {
            while (!starts.isEmpty() && now - starts.getFirst() >= PERIOD) {
                starts.removeFirst();
            }
            if (starts.size() == MOST) {
                throw new ConnectionException(
                        "the server has ended again and again, and is not started more than three"
                                + " times a minute");
            }
            starts.addLast(now);
        }
        LimitedLog.log(LOGGER, Level.INFO, "", "The server has ended and is started again");
    }

    /** Starts the server again, as often as that takes. Returns at once. */
    public void keepRestarting(ServerLink ended) {
        Thread.ofVirtual()
                .name("mcp-client-reopen")
                .start(
                        () ->
                                LastingLoop.run(
                                        LOGGER,
                                        "",
                                        "The server could not be started again",
                                        () -> tryRestart(ended)));
    }

    /** Returns false: nothing is to be tried again at once, unless it throws something. */
    private boolean tryRestart(ServerLink ended) throws InterruptedException {
        try {
            restart(ended);
        } catch (CallException e) {
            if (closed.getAsBoolean()) {
                return false;
            }
            timers.schedule(RESTART_WAIT, () -> keepRestarting(ended));
            boolean isFirst = reported.getAndSet(ended) != ended;
            LOGGER.log(
                    isFirst ? Level.WARNING : Level.DEBUG,
                    "The server has ended and sends no changes until it is started again: {0}",
                    Printable.excerpt(e.getMessage()));
        }
        return false;
    }
}
