package dev.fairlead.http.loop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the requests whose answer was not handed to the network. Thread-safe. */
final class Unanswered {
    private final AtomicInteger requests = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();

    void requested() {
        requests.incrementAndGet();
    }

    void answered() {
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
     * Waits until there are none, but not longer than this.
     *
     * @param limit may be negative
     */
    void awaitNone(Duration limit) throws InterruptedException {
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
