package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The tasks that have state on this node; others are removed. */
final class LocalTasks {
    private final Map<TaskId, LocalTask> tasks = new ConcurrentHashMap<>();

    Optional<LocalTask> find(TaskId id) {
        return Optional.ofNullable(tasks.get(id));
    }

    /** Changes the state of a task on this node, and creates the state if there is none. */
    LocalTask change(StoredTask task, Consumer<LocalTask> change) {
        return tasks.compute(
                task.id(),
                (id, known) -> {
                    LocalTask local =
                            known == null
                                    ? new LocalTask(
                                            id, task.owner(), task.expiresAt().toEpochMilli())
                                    : known;
                    change.accept(local);
                    return local;
                });
    }

    /** Changes the state of a task on this node, if there is any. */
    void changeKnown(TaskId id, Consumer<LocalTask> change) {
        tasks.computeIfPresent(
                id,
                (key, local) -> {
                    change.accept(local);
                    return local.isIdle() ? null : local;
                });
    }

    /**
     * Keeps the state of a task on this node until it is {@linkplain LocalTask#release() released}:
     * with two objects for one task, neither would see the deliveries of the other.
     *
     * @return the registered object, which differs from the given one if that was removed
     */
    LocalTask hold(LocalTask local) {
        return tasks.compute(
                local.id(),
                (id, known) -> {
                    LocalTask held = known == null ? local : known;
                    held.hold();
                    return held;
                });
    }

    /** Releases a task that was {@linkplain #hold held}. */
    void release(LocalTask held) {
        changeKnown(held.id(), known -> known.release());
    }

    /** Returns all tasks; weakly consistent. */
    Collection<LocalTask> all() {
        return tasks.values();
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }
}
