package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskSignals;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Records the signals that it receives. Thread-safe. */
final class RecordingSignalListener implements TaskSignals.Listener {
    private final Set<TaskId> received = ConcurrentHashMap.newKeySet();
    private volatile boolean anything;
    private volatile boolean failing;

    /** Throws on the next signal. */
    void fail() {
        failing = true;
    }

    void forget() {
        received.clear();
        anything = false;
    }

    boolean isSilent() {
        return received.isEmpty() && !anything;
    }

    /** Waits until all of these were received. */
    void await(List<TaskId> ids) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!anything && !received.containsAll(ids)) {
            assertTrue(System.nanoTime() < end, "not all signals were received in 30 s");
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void changed(TaskId id) {
        received.add(id);
        failIfAsked();
    }

    @Override
    public void anyChanged() {
        anything = true;
        failIfAsked();
    }

    private void failIfAsked() {
        if (failing) {
            failing = false;
            throw new IllegalStateException("this listener fails, as the test wants");
        }
    }
}
