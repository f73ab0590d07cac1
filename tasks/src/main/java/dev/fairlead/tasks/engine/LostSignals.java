package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.TaskId;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds tasks that have changed although no signal came. It reads the versions of many tasks by one
 * query, so that a task that waits costs nothing else.
 */
final class LostSignals {
    /** So many tasks are read by one query. */
    static final int STEP = 1_000;

    private static final System.Logger LOGGER = System.getLogger(LostSignals.class.getName());

    private final TaskStore store;
    private final Consumer<LocalTask> changed;

    LostSignals(TaskStore store, Consumer<LocalTask> changed) {
        this.store = store;
        this.changed = changed;
    }

    /** Looks at tasks, on a thread of its own. */
    void find(List<LocalTask> tasks) {
        if (!tasks.isEmpty()) {
            Thread.ofVirtual().name("mcp-task-versions").start(() -> look(tasks));
        }
    }

    private void look(List<LocalTask> tasks) {
        try {
            for (int from = 0; from < tasks.size(); from += STEP) {
                compare(tasks.subList(from, Math.min(tasks.size(), from + STEP)));
            }
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "The store failed; lost signals are looked for later", e);
        } catch (RuntimeException e) {
            LOGGER.log(Level.ERROR, "Lost signals of tasks cannot be found", e);
        }
    }

    private void compare(List<LocalTask> tasks) {
        List<TaskId> ids = tasks.stream().map(LocalTask::id).toList();
        Map<TaskId, String> versions = store.versions(ids);
        for (LocalTask task : tasks) {
            if (task.changeVersion(versions.get(task.id()))) {
                changed.accept(task);
            }
        }
    }
}
