package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.DoubleConsumer;

/**
 * How far a run is: always rising, and stored now and then. Its monitor guards the state and is
 * never held while anything is stored.
 */
final class Progression {
    /** So often progress is stored at most; what came last is stored after that time. */
    static final Duration EVERY = Duration.ofMillis(250);

    private final Timers timers;
    private final DoubleConsumer storing;
    private double reached;
    private double stored;
    private long free; // from when on it may be stored at once, in nanoseconds of the timers
    private Timers.@Nullable Timer timer;

    /**
     * @param stored what is stored already; null for nothing
     * @param storing stores, and may block
     */
    Progression(Timers timers, @Nullable Double stored, DoubleConsumer storing) {
        this.timers = timers;
        this.storing = storing;
        this.reached = stored == null ? Double.NEGATIVE_INFINITY : stored;
        this.stored = reached;
        this.free = timers.nanoTime();
    }

    /** Whether this is further than ever before. */
    synchronized boolean rise(double progress) {
        if (!(progress > reached)) {
            return false;
        }
        reached = progress;
        return true;
    }

    /** Stores what was reached, or has it stored soon. */
    void store() {
        synchronized (this) {
            long wait = free - timers.nanoTime();
            if (wait > 0) {
                if (timer == null) {
                    timer = timers.schedule(Duration.ofNanos(wait), this::later);
                }
                return;
            }
        }
        flush();
    }

    private void later() {
        Thread.ofVirtual().name("mcp-task-progress").start(this::flush);
    }

    /** Stores what was reached at once, unless it is. */
    void flush() {
        double value;
        synchronized (this) {
            stop();
            if (!(reached > stored)) {
                return;
            }
            stored = reached;
            value = reached;
            free = timers.nanoTime() + EVERY.toNanos();
        }
        storing.accept(value);
    }

    /** Nothing more is to be stored. */
    synchronized void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
