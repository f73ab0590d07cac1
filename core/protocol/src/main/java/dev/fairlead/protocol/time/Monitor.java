package dev.fairlead.protocol.time;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A lock for state that some threads change and others wait for. Only memory is touched with it.
 */
public final class Monitor {
    private final Timers timers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    public Monitor(Timers timers) {
        this.timers = timers;
    }

    /** Reads the state. */
    public <T extends @Nullable Object> T read(Supplier<T> reading) {
        lock.lock();
        try {
            return reading.get();
        } finally {
            lock.unlock();
        }
    }

    /** Changes the state, and wakes the threads that wait. */
    public void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Changes the state as {@link #change}, and returns the result of the change. */
    public <T extends @Nullable Object> T changing(Supplier<T> change) {
        lock.lock();
        try {
            T result = change.get();
            changed.signalAll();
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** Starts the time of waits; the caller closes it after the last one. */
    public WaitDeadline deadline(@Nullable Duration limit) {
        return new WaitDeadline(timers, limit, lock, changed);
    }

    /**
     * Waits until the state is as wanted. Returns whether it is: false if the time is over.
     *
     * @param limit the greatest time to wait; null for none
     */
    public boolean await(BooleanSupplier wanted, @Nullable Duration limit)
            throws InterruptedException {
        try (WaitDeadline deadline = deadline(limit)) {
            return await(wanted, deadline);
        }
    }

    /** Waits as {@link #await(BooleanSupplier, Duration)}, perhaps not for the first time. */
    public boolean await(BooleanSupplier wanted, WaitDeadline deadline)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!wanted.getAsBoolean() && !deadline.hasPassed()) {
                changed.await();
            }
            return wanted.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }
}
