package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.Progress;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * How far a run is: always rising, and given on now and then, one report after the other. Its
 * monitor guards the state and is never held while a report is given on.
 */
final class Progression {
    /** So often progress is given on at most; what came last is given on after that time. */
    static final Duration EVERY = Duration.ofMillis(250);

    private final Timers timers;
    private final Consumer<Progress> receiver;
    private final ReentrantLock giving = new ReentrantLock();
    private double reached;
    private @Nullable Progress last; // what has not been given on yet
    private long free; // from when on it may be given on at once, in nanoseconds of the timers
    private Timers.@Nullable Timer timer;

    /**
     * @param reached what an earlier run has reached; null for nothing
     * @param receiver may block
     */
    Progression(Timers timers, @Nullable Double reached, Consumer<Progress> receiver) {
        this.timers = timers;
        this.receiver = receiver;
        this.reached = reached == null ? Double.NEGATIVE_INFINITY : reached;
        this.free = timers.nanoTime();
    }

    /** Gives a report on, now or soon, if it is further than ever before. */
    void report(Progress report) {
        if (isDue(report)) {
            flush();
        }
    }

    private synchronized boolean isDue(Progress report) {
        if (!(report.progress() > reached)) {
            return false;
        }
        reached = report.progress();
        last = report;
        long wait = free - timers.nanoTime();
        if (wait > 0) {
            if (timer == null) {
                timer = timers.schedule(Duration.ofNanos(wait), this::later);
            }
            return false;
        }
        rest();
        return true;
    }

    private void later() {
        Thread.ofVirtual().name("mcp-task-progress").start(this::flush);
    }

    private void rest() {
        free = timers.nanoTime() + EVERY.toNanos();
    }

    /** Gives on at once what has not been; returns when the receiver has all. */
    void flush() {
        giving.lock();
        try {
            Progress report = next();
            if (report != null) {
                receiver.accept(report);
            }
        } finally {
            giving.unlock();
        }
    }

    private synchronized @Nullable Progress next() {
        stop();
        Progress next = last;
        last = null;
        if (next != null) {
            rest();
        }
        return next;
    }

    /** Nothing more is to be given on by itself. */
    synchronized void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
