package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskSignals;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Remembers the signals that it hears. Thread-safe. */
final class SignalEars implements TaskSignals.Listener {
    private final Set<TaskId> heard = ConcurrentHashMap.newKeySet();
    private volatile boolean anything;
    private volatile boolean failing;

    /** Throws when it hears something next. */
    void fail() {
        failing = true;
    }

    void forget() {
        heard.clear();
        anything = false;
    }

    boolean isSilent() {
        return heard.isEmpty() && !anything;
    }

    /** Waits until all of these are heard. */
    void await(List<TaskId> ids) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!anything && !heard.containsAll(ids)) {
            assertTrue(System.nanoTime() < end, "not all signals were heard in 30 s");
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void changed(TaskId id) {
        heard.add(id);
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
