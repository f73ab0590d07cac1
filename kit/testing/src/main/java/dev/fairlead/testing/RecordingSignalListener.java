package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskSignals;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Records the signals that it receives. Thread-safe. */
final class RecordingSignalListener implements TaskSignals.Listener {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition signalled = lock.newCondition();

    // guarded by lock
    private final Set<TaskId> received = new HashSet<>();
    private boolean anything;
    private boolean failing;

    /** Throws on the next signal. */
    void fail() {
        lock.lock();
        failing = true;
        lock.unlock();
    }

    void forget() {
        lock.lock();
        received.clear();
        anything = false;
        lock.unlock();
    }

    boolean isSilent() {
        lock.lock();
        try {
            return received.isEmpty() && !anything;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all of these were received. */
    void await(List<TaskId> ids) throws InterruptedException {
        lock.lock();
        try {
            long left = PATIENCE.toNanos();
            while (!anything && !received.containsAll(ids)) {
                assertTrue(left > 0, "not all signals were received in 60 s");
                left = signalled.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void changed(TaskId id) {
        lock.lock();
        try {
            received.add(id);
            signalled.signalAll();
            failIfAsked();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void anyChanged() {
        lock.lock();
        try {
            anything = true;
            signalled.signalAll();
            failIfAsked();
        } finally {
            lock.unlock();
        }
    }

    private void failIfAsked() {
        if (failing) {
            failing = false;
            throw new IllegalStateException("this listener fails, as the test wants");
        }
    }
}
