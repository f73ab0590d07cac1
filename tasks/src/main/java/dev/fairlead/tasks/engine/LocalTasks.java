package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The tasks that this node has something to do with; those of which it has not are forgotten. */
final class LocalTasks {
    private final Map<TaskId, LocalTask> tasks = new ConcurrentHashMap<>();

    Optional<LocalTask> find(TaskId id) {
        return Optional.ofNullable(tasks.get(id));
    }

    /** Changes what the node has to do with a task that may be new to it. */
    @SuppressWarnings("unchecked")
    <T> T change(StoredTask task, Function<LocalTask, T> change) {
        Object[] result = new Object[1];
        tasks.compute(
                task.id(),
                (id, known) -> {
                    LocalTask local =
                            known == null
                                    ? new LocalTask(
                                            id, task.owner(), task.expiresAt().toEpochMilli())
                                    : known;
                    result[0] = change.apply(local);
                    return local.isIdle() ? null : local;
                });
        return (T) result[0];
    }

    /** Changes what the node has to do with a task, if that is anything. */
    void changeKnown(TaskId id, Consumer<LocalTask> change) {
        tasks.computeIfPresent(
                id,
                (key, local) -> {
                    change.accept(local);
                    return local.isIdle() ? null : local;
                });
    }

    /**
     * Keeps what the node has to do with a task until it is {@linkplain LocalTask#release()
     * released}: two objects for the same task would not see what the other one delivers.
     *
     * @return the one that is known, which is another one if the given one was forgotten
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

    /** Releases what was held. */
    void release(LocalTask held) {
        changeKnown(held.id(), known -> known.release());
    }

    /** All of them, as they come and go. */
    Collection<LocalTask> all() {
        return tasks.values();
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }
}
