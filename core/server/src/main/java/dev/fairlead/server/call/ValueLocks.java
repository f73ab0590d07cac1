package dev.fairlead.server.call;

import dev.fairlead.json.RawJson;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one thread of a handler at a time compute or look up the value of a key. The lock is never
 * held meanwhile. Thread-safe.
 */
public final class ValueLocks {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Thread> threads = new HashMap<>(2); // by key; guarded by lock
    private volatile boolean closed;

    /**
     * Runs an action while no other thread runs one for the same key. Actions for the same key may
     * be nested.
     *
     * @throws InterruptedException if the thread is interrupted while it waits for another one
     */
    public RawJson alone(String key, Callable<RawJson> action) throws Exception {
        boolean outermost = begin(key);
        try {
            return action.call();
        } finally {
            if (outermost) {
                end(key);
            }
        }
    }

    private boolean begin(String key) throws InterruptedException {
        lock.lock();
        try {
            while (threads.containsKey(key) && threads.get(key) != Thread.currentThread()) {
                changed.await();
            }
            return threads.putIfAbsent(key, Thread.currentThread()) == null;
        } finally {
            lock.unlock();
        }
    }

    private void end(String key) {
        lock.lock();
        try {
            threads.remove(key);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes this once no action runs, or at once if the thread is interrupted, which then stays
     * so. Actions that begin later find it closed.
     */
    void close() {
        lock.lock();
        try {
            while (!threads.isEmpty()) {
                changed.await();
            }
        } catch (InterruptedException e) { // the call is to end
            Thread.currentThread().interrupt();
        } finally {
            closed = true;
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closed;
    }
}
