package dev.fairlead.server.notifications;

import dev.fairlead.protocol.time.Timers;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns a burst of signals into one: the first starts a delay, those that come meanwhile are
 * covered by it. Thread-safe.
 */
public final class Coalescer {
    private final Timers timers;
    private final Duration delay;
    private final Runnable action;
    private final AtomicBoolean due = new AtomicBoolean(); // whether a delay is running

    /**
     * @param action runs on the thread of the timers, once for each burst: it must be short
     */
    public Coalescer(Timers timers, Duration delay, Runnable action) {
        this.timers = timers;
        this.delay = delay;
        this.action = action;
    }

    /** Something has changed. */
    public void signal() {
        if (due.compareAndSet(false, true)) {
            timers.schedule(delay, this::fire);
        }
    }

    private void fire() {
        due.set(false); // before the action, so that a change during it is sent again
        action.run();
    }
}
