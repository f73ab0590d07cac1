package dev.fairlead.client.group;

import dev.fairlead.protocol.time.Timers;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The moment at which waits for a condition end. The condition's lock guards it. */
final class Deadline implements AutoCloseable {
    private final Lock lock;
    private final Condition changed;
    private final Timers.Timer timer;
    private boolean passed;

    Deadline(Timers timers, Duration limit, Lock lock, Condition changed) {
        this.lock = lock;
        this.changed = changed;
        this.timer = timers.schedule(limit, this::pass);
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

    boolean hasPassed() {
        return passed;
    }

    @Override
    public void close() {
        timer.cancel();
    }
}
