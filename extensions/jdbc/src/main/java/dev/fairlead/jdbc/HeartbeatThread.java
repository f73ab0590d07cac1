package dev.fairlead.jdbc;

import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Uninterruptibly;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Sends a heartbeat at an interval, on a daemon thread of its own. A heartbeat that fails is
 * repeated at the next interval; of several failures in a row the first is logged.
 */
final class HeartbeatThread {
    private static final Logger LOG = System.getLogger(HeartbeatThread.class.getName());

    private final Duration interval;
    private final Beat beat;
    private final Runnable reset;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private boolean begun;
    private boolean failing;

    /**
     * Prepares a thread.
     *
     * @param reset closes the connection of a heartbeat: after a failure, and at the end
     */
    HeartbeatThread(String name, Duration interval, Beat beat, Runnable reset) {
        this.interval = interval;
        this.beat = beat;
        this.reset = reset;
        Runnable beats = LastingLoop.task(LOG, "", "The heartbeats were interrupted", this::step);
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .unstarted(
                                () -> {
                                    beats.run();
                                    reset.run();
                                });
    }

    /** One heartbeat. */
    @FunctionalInterface
    interface Beat {
        void send() throws SQLException;
    }

    /**
     * Starts the thread.
     *
     * @param sent whether the first heartbeat was sent, so that the next is due after the interval
     */
    void start(boolean sent) {
        begun = sent;
        thread.start();
    }

    /** Sends one when it is due. Returns false at the end. */
    private boolean step() throws InterruptedException {
        boolean due = !begun || !stopped.await(interval.toMillis(), TimeUnit.MILLISECONDS);
        if (due) {
            begun = true;
            send();
        }
        return due;
    }

    private void send() {
        try {
            beat.send();
            failing = false;
        } catch (Throwable e) { // after any failure the heartbeats must continue
            boolean first = !failing;
            failing = true;
            reset.run();
            if (first && stopped.getCount() > 0) {
                LimitedLog.failed(LOG, Level.WARNING, "", e, "A heartbeat could not be stored");
            }
        }
    }

    /** Stops, and waits for a heartbeat under way, also when interrupted. */
    void stop() {
        stopped.countDown();
        Uninterruptibly.await(thread::join);
    }
}
