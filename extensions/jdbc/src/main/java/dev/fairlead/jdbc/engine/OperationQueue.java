package dev.fairlead.jdbc.engine;

import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The operations that wait for the threads of an engine, first come first served and bounded:
 * beyond the bound callers are refused at once.
 */
final class OperationQueue {
    private static final Logger LOG = System.getLogger(OperationQueue.class.getName());

    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Queue<Operation<?>> waiting = new ArrayDeque<>(); // guarded by lock
    private long added; // guarded by lock: how many operations there have been
    private boolean closed; // guarded by lock

    OperationQueue(int limit) {
        this.limit = limit;
    }

    /** Has a thread of the engine do the operation and waits for its end. */
    <T extends @Nullable Object> T call(Operation<T> operation) throws SQLException {
        add(operation);
        return operation.await();
    }

    private void add(Operation<?> operation) throws SQLException {
        lock.lock();
        try {
            if (closed) {
                throw new SQLException("the database is closed", "08003");
            }
            if (waiting.size() >= limit) {
                throw new SQLException(
                        "the database is busy: " + limit + " operations wait for it", "53300");
            }
            waiting.add(operation);
            added++;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for operations and takes them, at least one and at most so many at a time; returns once
     * the queue is closed and empty. Where the worker throws something, its operations fail.
     */
    void drain(int most, Consumer<List<Operation<?>>> worker) {
        LastingLoop.run(
                LOG,
                "",
                "A thread of the database failed, and continues",
                () -> {
                    List<Operation<?>> taken = take(most);
                    if (taken.isEmpty()) {
                        return false;
                    }
                    work(taken, worker);
                    return true;
                });
    }

    private static void work(List<Operation<?>> taken, Consumer<List<Operation<?>>> worker) {
        try {
            worker.accept(taken);
        } catch (Throwable failure) { // else their callers would wait
            LimitedLog.failed(
                    LOG,
                    Level.ERROR,
                    "",
                    failure,
                    "A thread of the database failed, and continues");
            taken.forEach(operation -> operation.failUnlessEnded(failure));
        }
    }

    private List<Operation<?>> take(int most) {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                arrived.awaitUninterruptibly();
            }
            List<Operation<?>> taken = new ArrayList<>(Math.min(most, waiting.size()));
            while (taken.size() < most && !waiting.isEmpty()) {
                taken.add(waiting.remove());
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Opens a session for the waiting operations. An attempt takes seconds while the database is
     * away: operations that have waited for a whole failed attempt fail with it, and once the queue
     * is closed all do.
     */
    SqlSession open(SqlCall<SqlSession> opening) throws SQLException {
        long before = added();
        try {
            return opening.make();
        } catch (SQLException | RuntimeException e) {
            addedUntil(before).forEach(operation -> operation.fail(e));
            throw e;
        }
    }

    private long added() {
        lock.lock();
        try {
            return added;
        } finally {
            lock.unlock();
        }
    }

    /** Removes the operations up to this one; all of them once the queue is closed. */
    private List<Operation<?>> addedUntil(long last) {
        lock.lock();
        try {
            long later = closed ? 0 : added - last;
            List<Operation<?>> taken = new ArrayList<>();
            while (waiting.size() > later) {
                taken.add(waiting.remove());
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        return size() == 0;
    }

    /** Returns how many operations wait. */
    int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses new operations; the waiting ones are still done, unless the database is away. */
    void close() {
        lock.lock();
        try {
            closed = true;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
