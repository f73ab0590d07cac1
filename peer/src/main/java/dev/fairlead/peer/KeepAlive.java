package dev.fairlead.peer;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;

/** Sends a {@code ping} at intervals, and ends the session when the peer does not answer. */
public final class KeepAlive {
    private static final System.Logger LOGGER = System.getLogger(KeepAlive.class.getName());

    private final String peer;
    private final @Nullable Duration interval;
    private final int allowed;
    private final Timers timers;
    private final Ping ping;
    private volatile boolean stopped;

    /** Sends one ping, and ends what does not answer. */
    public interface Ping {
        /** Sends a ping and waits for its answer, at most so long. */
        void send(Duration limit) throws InterruptedException;

        /** The peer counts as lost. */
        void lost(ConnectionException why);
    }

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

    /** Starts; the first ping is sent after the interval. */
    public void start() {
        if (interval != null) {
            schedule(interval, 0);
        }
    }

    /** Stops; a ping under way still ends by itself. */
    public void stop() {
        stopped = true;
    }

    private void schedule(Duration delay, int failures) {
        if (!stopped) {
            timers.schedule(
                    delay,
                    () ->
                            Thread.ofVirtual()
                                    .name("mcp-keep-alive")
                                    .start(() -> ping(delay, failures)));
        }
    }

    private void ping(Duration limit, int failuresBefore) {
        if (stopped) {
            return;
        }
        try {
            ping.send(limit);
            schedule(limit, 0);
        } catch (JsonRpcException e) {
            schedule(limit, 0); // an error is an answer too
        } catch (CallException e) {
            failed(limit, failuresBefore + 1, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no code interrupts it; end it in any case
        }
    }

    private void failed(Duration limit, int failures, CallException cause) {
        if (stopped) {
            return;
        }
        LOGGER.log(
                Level.WARNING,
                "Ping {0} of {1} failed: {2}",
                failures,
                allowed,
                Printable.excerpt(cause.getMessage()));
        if (failures < allowed) {
            schedule(limit, failures);
        } else {
            ping.lost(
                    new ConnectionException(
                            "the " + peer + " did not answer " + failures + " pings in a row",
                            cause));
        }
    }
}
