package dev.fairlead.protocol.time;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The moment at which waits for a condition end. The condition's lock guards it. */
public final class WaitDeadline implements AutoCloseable {
    private final Lock lock;
    private final Condition changed;
    private final Timers.Timer timer;
    private boolean passed;

    /**
     * Starts the time.
     *
     * @param limit the greatest time to wait; null for none
     * @param changed the condition that is signalled when the time has passed
     */
    public WaitDeadline(Timers timers, @Nullable Duration limit, Lock lock, Condition changed) {
        this.lock = lock;
        this.changed = changed;
        this.timer = limit == null ? () -> {} : timers.schedule(limit, this::pass);
    }

    private void pass() {
        lock.lock();
        try {
            passed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the time has passed; called with the lock held. */
    public boolean hasPassed() {
        return passed;
    }

    @Override
    public void close() {
        timer.cancel();
    }
}
