package dev.fairlead.server.notifications;

import dev.fairlead.protocol.time.Timers;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Turns a burst of signals into one: the first starts a delay, those that come meanwhile are
 * covered by it. Safe for use by several threads; the lock guards whether a delay is running.
 */
public final class Coalescer {
    private final Timers timers;
    private final Duration delay;
    private final Runnable action;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean due;

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
        lock.lock();
        try {
            if (due) {
                return;
            }
            due = true;
        } finally {
            lock.unlock();
        }
        timers.schedule(delay, this::fire);
    }

    private void fire() {
        lock.lock();
        try {
            due = false; // before the action, so that a change during it is sent again
        } finally {
            lock.unlock();
        }
        action.run();
    }
}
