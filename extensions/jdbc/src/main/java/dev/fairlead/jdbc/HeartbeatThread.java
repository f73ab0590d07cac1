package dev.fairlead.jdbc;

import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Uninterruptibly;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends a heartbeat at an interval, on a daemon thread of its own, which starts when it is first
 * woken. A heartbeat that fails is repeated at the next interval; of several failures in a row the
 * first is logged.
 */
final class HeartbeatThread {
    private static final Logger LOG = System.getLogger(HeartbeatThread.class.getName());

    private final Duration interval;
    private final Beat beat;
    private final Runnable reset;
    private final Semaphore woken = new Semaphore(0);
    private final Thread thread;
    private volatile boolean stopped;
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

    /** Sends one at once. */
    synchronized void wake() {
        woken.release();
        if (!stopped && thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }

    /** Sends one when it is due. Returns false at the end. */
    private boolean step() throws InterruptedException {
        if (woken.tryAcquire(interval.toMillis(), TimeUnit.MILLISECONDS)) {
            woken.drainPermits();
        }
        if (!stopped) {
            send();
        }
        return !stopped;
    }

    private void send() {
        try {
            beat.send();
            failing = false;
        } catch (Throwable e) { // after any failure the heartbeats must continue
            boolean first = !failing;
            failing = true;
            reset.run();
            if (first && !stopped) {
                LimitedLog.failed(LOG, Level.WARNING, "", e, "A heartbeat could not be stored");
            }
        }
    }

    /** Stops, and waits for a heartbeat under way, also when interrupted. */
    void stop() {
        synchronized (this) {
            stopped = true;
        }
        woken.release();
        Uninterruptibly.await(thread::join);
    }
}
