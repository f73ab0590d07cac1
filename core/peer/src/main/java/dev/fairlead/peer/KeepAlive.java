package dev.fairlead.peer;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Sends a {@code ping} at intervals, and ends the session when the peer does not answer. */
public final class KeepAlive {
    private static final System.Logger LOGGER = System.getLogger(KeepAlive.class.getName());

    /** How long one ping of a peer that may be gone may take. */
    private static final Duration DOUBT = Duration.ofSeconds(5);

    /** The wait between two of them. */
    private static final Duration DOUBT_INTERVAL = Duration.ofSeconds(1);

    private final String peer;
    private final @Nullable Duration interval;
    private final int allowed;
    private final Timers timers;
    private final Ping ping;
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicBoolean suspected = new AtomicBoolean();
    private volatile boolean stopped;

    /** Sends one ping, and ends a peer that does not answer. */
    public interface Ping {
        /** Sends a ping and waits for its answer, at most so long. */
        void send(Duration limit) throws InterruptedException;

        /** The peer counts as lost. */
        void lost(ConnectionException why);
    }

    /**
     * Pings one after the other.
     *
     * @param interval between the end of a ping and the next
     * @param limit of each
     * @param regular whether they continue after an answer
     */
    private record Series(Duration interval, Duration limit, boolean regular) {}

    /**
     * Creates a stopped one.
     *
     * @param peer {@code client} or {@code server}, for messages
     * @param interval between the end of a ping and the next, and the timeout of each; null to send
     *     none
     * @param allowed after so many failed pings in a row the peer counts as lost
     */
    public KeepAlive(
            String peer, @Nullable Duration interval, int allowed, Timers timers, Ping ping) {
        this.peer = peer;
        this.interval = interval;
        this.allowed = allowed;
        this.timers = timers;
        this.ping = ping;
    }

    /**
     * Starts, unless it runs; also after the peer was lost, if there is another one. The first ping
     * is sent after the interval.
     */
    public void start() {
        if (interval != null && running.compareAndSet(false, true)) {
            schedule(new Series(interval, interval, true), 0);
        }
    }

    /**
     * Pings at once, and every second until there is an answer, since the peer may be gone; without
     * effect where no pings are sent. Returns at once.
     */
    public void suspect() {
        if (interval != null && !stopped && suspected.compareAndSet(false, true)) {
            Duration limit = interval.compareTo(DOUBT) < 0 ? interval : DOUBT;
            start(new Series(DOUBT_INTERVAL, limit, false), 0);
        }
    }

    /** Stops; a ping under way still ends by itself. */
    public void stop() {
        stopped = true;
    }

    private void schedule(Series series, int failures) {
        if (!stopped) {
            timers.schedule(series.interval(), () -> start(series, failures));
        }
    }

    /**
     * Schedules the next ping of a series like {@link #schedule}, but as soon as there is memory.
     */
    private void again(Series series, int failures) {
        LastingLoop.run(
                LOGGER,
                "",
                "The next ping could not be scheduled",
                () -> {
                    schedule(series, failures);
                    return false;
                });
    }

    private void start(Series series, int failures) {
        try {
            Thread.ofVirtual().name("mcp-keep-alive").start(() -> ping(series, failures));
        } catch (OutOfMemoryError e) { // the system has no more threads
            LimitedLog.failed(LOGGER, Level.WARNING, "", e, "A ping was not sent");
            again(series, failures);
        }
    }

    private void ping(Series series, int failuresBefore) {
        if (stopped) {
            return;
        }
        try {
            ping.send(series.limit());
            answered(series);
        } catch (JsonRpcException e) {
            answered(series); // an error is an answer too
        } catch (CallException e) {
            failed(series, failuresBefore + 1, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no code interrupts it; end it in any case
        } catch (RuntimeException | Error e) { // of code of users; not a sign that the peer is lost
            LimitedLog.failed(LOGGER, Level.ERROR, "", e, "A ping failed unexpectedly");
            again(series, failuresBefore);
        }
    }

    private void answered(Series series) {
        if (series.regular()) {
            again(series, 0);
        } else {
            suspected.set(false);
        }
    }

    private void failed(Series series, int failures, CallException cause) {
        if (stopped) {
            return;
        }
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                "",
                "Ping {0} of {1} failed: {2}",
                failures,
                allowed,
                Printable.excerpt(cause.getMessage()));
        if (failures < allowed) {
            again(series, failures);
        } else {
            (series.regular() ? running : suspected).set(false);
            ping.lost(
                    new ConnectionException(
                            "the " + peer + " did not answer " + failures + " pings in a row",
                            cause));
        }
    }
}
