package dev.fairlead.protocol.pipe;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the requests of the peer that have no answer yet. */
final class UnderWay {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();
    private int count; // guarded by lock

    void add() {
        change(1);
    }

    void remove() {
        change(-1);
    }

    private void change(int difference) {
        lock.lock();
        try {
            count += difference;
            if (count <= 0) {
                none.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until every request has its answer, or the time is over. */
    void awaitNone(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        lock.lock();
        try {
            while (count > 0 && none.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                // looks again
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
