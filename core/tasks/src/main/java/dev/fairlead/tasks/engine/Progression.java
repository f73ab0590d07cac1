package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Forwards the progress of a run: always rising, one report after the other, and not too often. Its
 * monitor guards the state and is never held while a report is forwarded.
 */
final class Progression {
    /** The number of reports that are forwarded without delay; after that one in {@link #EVERY}. */
    static final int AT_ONCE = 100;

    /** The time after which one more report may be forwarded; the latest report is sent then. */
    static final Duration EVERY = Duration.ofMillis(250);

    private final Timers timers;
    private final Consumer<Progress> receiver;
    private final ReentrantLock giving = new ReentrantLock();
    private double reached;
    private @Nullable Progress last; // the latest report that has not been forwarded

    /** The time at which all immediate reports are allowed again, in nanoseconds of the timers. */
    private long full;

    private Timers.@Nullable Timer timer;

    /**
     * @param reached the progress of an earlier run; null for none
     * @param receiver may block
     */
    Progression(Timers timers, @Nullable Double reached, Consumer<Progress> receiver) {
        this.timers = timers;
        this.receiver = receiver;
        this.reached = reached == null ? Double.NEGATIVE_INFINITY : reached;
        this.full = timers.nanoTime();
    }

    /** Forwards a report, now or soon, if it exceeds all earlier ones. */
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
        long wait = full - timers.nanoTime() - EVERY.toNanos() * (AT_ONCE - 1);
        if (wait > 0 && timer == null) {
            timer = timers.schedule(Duration.ofNanos(wait), this::later);
        }
        return wait <= 0;
    }

    private void later() {
        Thread.ofVirtual().name("mcp-task-progress").start(this::flush);
    }

    /** Forwards the pending report at once; returns when the receiver has all. */
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
            full = Math.max(full, timers.nanoTime()) + EVERY.toNanos();
        }
        return next;
    }

    /** Stops forwarding by timers. */
    synchronized void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
