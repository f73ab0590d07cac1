package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Handles signals: looks at tasks of this node that have changed, and calls the watchers of a task
 * of any node. Where signals may be lost it also looks at the tasks of this node periodically: it
 * reads the versions of many tasks by one query, so that a waiting task costs nothing else.
 */
final class SignalListener implements TaskSignals.Listener {
    /** The number of tasks that one query reads. */
    static final int STEP = 1_000;

    private static final System.Logger LOGGER = System.getLogger(SignalListener.class.getName());

    private final TaskStore store;
    private final LocalTasks locals;
    private final QuestionDeliveries deliveries;
    private final boolean reliable;
    private final Map<TaskId, Set<Watcher>> watchers = new ConcurrentHashMap<>();

    SignalListener(
            TaskStore store, LocalTasks locals, QuestionDeliveries deliveries, boolean reliable) {
        this.store = store;
        this.locals = locals;
        this.deliveries = deliveries;
        this.reliable = reliable;
    }

    @Override
    public void changed(TaskId id) {
        locals.find(id).ifPresent(this::contested);
        callWatchers(id);
    }

    /**
     * {@inheritDoc} Where signals may be lost, that is after each lost connection: then the
     * versions show which tasks have changed. To look at each of them would be three statements for
     * every task that waits, which all requests of that moment would wait for.
     */
    @Override
    public void anyChanged() {
        List<LocalTask> all = List.copyOf(locals.all());
        if (reliable) {
            all.forEach(this::changed);
        } else {
            all.stream().filter(local -> !local.deliveries().isEmpty()).forEach(this::contested);
            findChanged(all);
        }
        watchers.keySet().forEach(this::callWatchers);
    }

    /**
     * Handles a signal of another node, which may come from a caller that waits there for a
     * question.
     */
    private void contested(LocalTask local) {
        if (!reliable) {
            local.deliveries().forEach(QuestionDelivery::contest);
        }
        changed(local);
    }

    /**
     * Wakes a task after a signal. Where signals are reliable, its run is on this node, and any
     * change by another node was signalled.
     */
    private void changed(LocalTask local) {
        local.wake();
        boolean runElsewhere = !reliable && local.run().filter(Run::isAtWork).isPresent();
        if (runElsewhere || !local.deliveries().isEmpty()) {
            deliveries.match(local);
        }
    }

    // ---- watches

    /** One registration of an action. */
    private final class Watcher implements TaskEngine.Registration {
        private final TaskId id;
        private final Runnable action;

        Watcher(TaskId id, Runnable action) {
            this.id = id;
            this.action = action;
        }

        @Override
        public void close() {
            watchers.computeIfPresent(
                    id,
                    (task, all) -> {
                        all.remove(this);
                        return all.isEmpty() ? null : all;
                    });
        }
    }

    /** Watches a task, see {@link TaskEngine#watch}. */
    TaskEngine.Registration watch(TaskId id, Runnable action) {
        Watcher watcher = new Watcher(id, action);
        watchers.compute(
                id,
                (task, all) -> {
                    Set<Watcher> added = all == null ? ConcurrentHashMap.newKeySet() : all;
                    added.add(watcher);
                    return added;
                });
        return watcher;
    }

    private void callWatchers(TaskId id) {
        watchers.getOrDefault(id, Set.of()).forEach(watcher -> watcher.action.run());
    }

    // ---- signals that were lost

    /** Finds which of these tasks have changed without a signal, on a thread of its own. */
    void findChanged(List<LocalTask> tasks) {
        if (!reliable && !tasks.isEmpty()) {
            Thread.ofVirtual().name("mcp-task-versions").start(() -> compareAll(tasks));
        }
    }

    private void compareAll(List<LocalTask> tasks) {
        try {
            for (int from = 0; from < tasks.size(); from += STEP) {
                compare(tasks.subList(from, Math.min(tasks.size(), from + STEP)));
            }
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "The store failed; lost signals are looked for later", e);
        } catch (RuntimeException e) {
            LimitedLog.failed(LOGGER, Level.ERROR, "", e, "Lost signals of tasks cannot be found");
        }
    }

    private void compare(List<LocalTask> tasks) {
        List<TaskId> ids = tasks.stream().map(LocalTask::id).toList();
        Map<TaskId, String> versions = store.versions(ids);
        for (LocalTask task : tasks) {
            if (task.changeVersion(versions.get(task.id()))) {
                changed(task);
            }
        }
    }
}
