package dev.fairlead.benchmarks.soak;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Clients pass it with each step; while it is held, none of them does anything. */
final class Gate {
    private final ReadWriteLock lock = new ReentrantReadWriteLock(true);

    /** A step of a client. */
    interface Step<T> {
        T take() throws InterruptedException;
    }

    <T> T pass(Step<T> step) throws InterruptedException {
        lock.readLock().lockInterruptibly();
        try {
            return step.take();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns when no step is under way any more, and none begins. */
    void hold() {
        lock.writeLock().lock();
    }

    /** Lets steps begin again; by the thread that holds it. */
    void release() {
        lock.writeLock().unlock();
    }
}
