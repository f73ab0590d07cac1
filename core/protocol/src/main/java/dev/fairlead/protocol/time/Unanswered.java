package dev.fairlead.protocol.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the requests without a response yet. Thread-safe. */
public final class Unanswered {
    private final AtomicInteger requests = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();

    /** Counts a new request. */
    public void requested() {
        requests.incrementAndGet();
    }

    /** Counts a request that was answered, or never will be. */
    public void answered() {
        if (requests.decrementAndGet() == 0) {
            lock.lock();
            try {
                none.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits until all requests are answered, up to a limit.
     *
     * @param limit may be negative
     */
    public void awaitNone(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lockInterruptibly();
        try {
            while (requests.get() > 0 && left > 0) {
                left = none.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
