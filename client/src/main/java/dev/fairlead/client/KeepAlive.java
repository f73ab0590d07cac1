package dev.fairlead.client;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.time.Timers;

import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Pings the server again and again, and gives the connection up when it does not answer (PING-003
 * to PING-005).
 */
final class KeepAlive {
    private static final System.Logger LOGGER = System.getLogger(KeepAlive.class.getName());

    private final Duration interval;
    private final int allowed;
    private final Timers timers;
    private final Ping ping;
    private volatile boolean stopped;

    /** Sends one ping, and ends what does not answer. */
    interface Ping {
        void send(CallOptions options) throws InterruptedException;

        void lost(ConnectionException why);
    }

    KeepAlive(Duration interval, int allowed, Timers timers, Ping ping) {
        this.interval = interval;
        this.allowed = allowed;
        this.timers = timers;
        this.ping = ping;
    }

    void start() {
        schedule(0);
    }

    void stop() {
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
            ping.send(new CallOptions(interval, interval));
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
                cause.getMessage());
        if (failures < allowed) {
            schedule(failures);
        } else {
            ping.lost(
                    new ConnectionException(
                            "the server did not answer " + failures + " pings in a row", cause));
        }
    }
}
