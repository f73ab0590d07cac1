package dev.fairlead.http.jetty;

import org.eclipse.jetty.server.Request;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the requests whose answer is not written to the last byte. Thread-safe. */
final class Unanswered {
    private final AtomicInteger requests = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();

    void requested(Request request) {
        requests.incrementAndGet();
        Request.addCompletionListener(request, failure -> answered());
    }

    private void answered() {
        if (requests.decrementAndGet() == 0) {
            lock.lock();
            try {
                none.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits until there are none, but not longer than this. */
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
