package dev.fairlead.client.changes;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.time.WaitDeadline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The versions of the changes that are wanted, each with the answer of the server. The lock guards
 * the fields, also those of {@link ChangeStream}, and is never held while anything is sent.
 */
final class WantedVersions {
    private final Timers timers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();

    // guarded by lock
    private boolean running;
    private boolean closed;
    private long version;
    private long settled = -1; // the version that was acknowledged or refused last
    private @Nullable NotificationFilter granted;
    private @Nullable CallException refusal;

    WantedVersions(Timers timers) {
        this.timers = timers;
    }

    ReentrantLock lock() {
        return lock;
    }

    /** Returns the condition that is signalled when a field has changed. */
    Condition moved() {
        return moved;
    }

    Timers timers() {
        return timers;
    }

    /** Returns whether nothing is wanted any more; with the lock. */
    boolean isClosed() {
        return closed;
    }

    /** Returns whether nothing is wanted any more. */
    boolean isOver() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Begins the next version. Returns at once.
     *
     * @param start starts the thread that heeds versions, once
     */
    long next(Runnable start) {
        lock.lock();
        try {
            version++;
            moved.signalAll();
            if (!running && !closed) {
                start.run();
                running = true; // not where there is no thread: the next change tries again
            }
            return version;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the answer of the server to a version; see {@link Listening#await}. */
    NotificationFilter await(long mark, Duration limit, Connection connection)
            throws InterruptedException {
        WaitDeadline deadline = new WaitDeadline(timers, limit, lock, moved);
        lock.lock();
        try {
            while (settled < mark && !closed && !deadline.hasPassed()) {
                moved.await();
            }
            if (closed) {
                throw connection.closedException();
            }
            if (settled < mark) {
                throw new RequestTimeoutException(
                        Methods.LISTEN + ": no answer within " + Durations.text(limit));
            }
            if (refusal != null) {
                throw refusal.withCallerStack();
            }
            return granted == null ? new NotificationFilter() : granted;
        } finally {
            lock.unlock();
            deadline.close();
        }
    }

    /** Returns the version of now. */
    long mark() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    /** Notes the answer of the server to a version. */
    void settle(long mark, @Nullable NotificationFilter given, @Nullable CallException why) {
        lock.lock();
        try {
            settled = mark;
            granted = given;
            refusal = why;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until something else is wanted or the stream has ended.
     *
     * @return false if there is nothing more to do
     */
    boolean awaitChange(long mark, @Nullable ChangeStream stream) throws InterruptedException {
        lock.lock();
        try {
            while (!closed && version == mark && (stream == null || !stream.hasEnded())) {
                moved.await();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a while, or until something else is wanted.
     *
     * @return false if there is nothing more to do
     */
    boolean pause(long mark, Duration time) throws InterruptedException {
        WaitDeadline deadline = new WaitDeadline(timers, time, lock, moved);
        lock.lock();
        try {
            while (!closed && version == mark && !deadline.hasPassed()) {
                moved.await();
            }
            return !closed;
        } finally {
            lock.unlock();
            deadline.close();
        }
    }

    /** Nothing is wanted any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
