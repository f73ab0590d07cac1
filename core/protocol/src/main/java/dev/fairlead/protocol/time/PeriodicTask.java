package dev.fairlead.protocol.time;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs periodic work on a virtual thread of its own, one round at a time; ends with its timers, or
 * before. A round that is due while another one runs, or for which there is no thread, is skipped.
 */
public final class PeriodicTask implements AutoCloseable {
    private static final Logger LOGGER = System.getLogger(PeriodicTask.class.getName());

    private final String name;
    private final ThreadFactory threads;
    private final Duration interval;
    private final Timers timers;
    private final Runnable work;
    private final Runnable next = this::next;
    private final AtomicBoolean running = new AtomicBoolean();
    private final String failing; // one object for all failures
    private int failures; // in a row; passed on by the flag
    private volatile boolean closed;

    /**
     * @param name of the thread, which the log names
     */
    public PeriodicTask(String name, Duration interval, Timers timers, Runnable work) {
        this(name, Thread.ofVirtual().name(name).factory(), interval, timers, work);
    }

    PeriodicTask(
            String name, ThreadFactory threads, Duration interval, Timers timers, Runnable work) {
        this.name = name;
        this.threads = threads;
        this.interval = interval;
        this.timers = timers;
        this.work = work;
        this.failing = "A round of " + name + " failed";
    }

    /** Schedules the next round, and after it all others. */
    public void start() {
        timers.schedule(interval, next);
    }

    private void next() {
        if (closed) {
            return;
        }
        start(); // first, also if this round fails; without memory the timers repeat all of this
        if (running.compareAndSet(false, true)) {
            try {
                threads.newThread(this::round).start();
            } catch (Throwable e) { // as if the system has no more threads
                running.set(false);
                failed(Level.WARNING, e, "A round of {0} was skipped");
            }
        }
    }

    private void round() {
        try {
            if (!closed) {
                work.run();
            }
            failures = LastingLoop.succeeded(failures, failing);
        } catch (Throwable e) {
            failures = LastingLoop.failed(failures, failing);
            failed(Level.ERROR, e, "A round of {0} failed");
        } finally {
            running.set(false);
        }
    }

    private void failed(Level level, Throwable cause, String message) {
        LimitedLog.failed(LOGGER, level, "", cause, message, name);
    }

    @Override
    public void close() {
        closed = true;
        LastingLoop.succeeded(Integer.MAX_VALUE, failing);
    }
}
