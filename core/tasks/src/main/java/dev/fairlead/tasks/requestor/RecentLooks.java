package dev.fairlead.tasks.requestor;

import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;

import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The latest answers of the peer about its tasks, each kept for the poll interval, so that no other
 * watcher of the task asks again before. The oldest is removed first. Thread-safe.
 */
final class RecentLooks {
    static final int LIMIT = 1_000;

    /** The bytes in memory beyond which an answer is not kept. */
    static final int MAX_BYTES = 16 << 10;

    private final Clock clock;
    private final Map<TaskId, Look> looks = new LinkedHashMap<>() { // guarded by itself
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<TaskId, Look> eldest) {
                    return size() > LIMIT;
                }
            };

    /**
     * An answer of the peer.
     *
     * @param next the earliest time of the next look
     */
    record Look(Task task, Instant next) {}

    RecentLooks(Clock clock) {
        this.clock = clock;
    }

    /**
     * Adds the state of a task that the peer has just answered. A large one is not kept, since a
     * peer could fill the memory with them; each watcher still waits for the interval after its own
     * look.
     */
    void add(Task task) {
        Instant now = clock.instant();
        synchronized (looks) {
            looks.remove(task.id());
            if (bytes(task) <= MAX_BYTES) {
                looks.put(task.id(), new Look(task, now.plus(WatchLimits.interval(task))));
            }
        }
    }

    private static long bytes(Task task) {
        return HeapSize.of(task.id().value())
                + HeapSize.of(task.statusMessage())
                + HeapSize.of(task.meta())
                + HeapSize.of(task.otherMembers());
    }

    /** Returns the last answer about a task; empty once it may be looked at again. */
    Optional<Look> find(TaskId id) {
        Instant now = clock.instant();
        synchronized (looks) {
            Look look = looks.get(id);
            if (look == null) {
                return Optional.empty();
            }
            boolean over = !now.isBefore(look.next());
            boolean setBack = look.next().isAfter(now.plus(WatchLimits.LONGEST)); // the clock
            if (over || setBack) {
                looks.remove(id);
                return Optional.empty();
            }
            return Optional.of(look);
        }
    }
}
