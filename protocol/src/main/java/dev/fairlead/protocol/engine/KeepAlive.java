package dev.fairlead.protocol.engine;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.Timers;

import java.lang.System.Logger.Level;
import java.time.Duration;

/** Pings the peer again and again, and gives the connection up when it does not answer. */
public final class KeepAlive {
    private static final System.Logger LOGGER = System.getLogger(KeepAlive.class.getName());

    private final String peer;
    private final Duration interval;
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
     * @param peer what the peer is, for messages
     * @param interval between the end of a ping and the next, and how long one may take
     * @param allowed after so many missed pings in a row the peer counts as lost
     */
    public KeepAlive(String peer, Duration interval, int allowed, Timers timers, Ping ping) {
        this.peer = peer;
        this.interval = interval;
        this.allowed = allowed;
        this.timers = timers;
        this.ping = ping;
    }

    /** Begins; the first ping goes out after the interval. */
    public void start() {
        schedule(0);
    }

    /** Ends; a ping under way still ends by itself. */
    public void stop() {
        stopped = true;
    }

    private void schedule(int failures) {
        if (!stopped) {
            timers.schedule(
                    interval,
                    () -> Thread.ofVirtual().name("mcp-keep-alive").start(() -> ping(failures)));
        }
    }

    private void ping(int failuresBefore) {
        if (stopped) {
            return;
        }
        try {
            ping.send(interval);
            schedule(0);
        } catch (JsonRpcException e) {
            schedule(0); // an error is a sign of life too
        } catch (CallException e) {
            failed(failuresBefore + 1, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody interrupts this thread; end it in any case
        }
    }

    private void failed(int failures, CallException cause) {
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
            schedule(failures);
        } else {
            ping.lost(
                    new ConnectionException(
                            "the " + peer + " did not answer " + failures + " pings in a row",
                            cause));
        }
    }
}
