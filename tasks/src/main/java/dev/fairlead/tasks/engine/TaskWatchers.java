package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.tasks.TaskId;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The watches on this node of tasks, which may run on any node. */
final class TaskWatchers {
    private final Map<TaskId, Set<Watch>> watches = new ConcurrentHashMap<>();

    /** One watch: the same action may be there twice. */
    private final class Watch implements TaskEngine.Watch {
        private final TaskId id;
        private final Runnable action;

        Watch(TaskId id, Runnable action) {
            this.id = id;
            this.action = action;
        }

        @Override
        public void close() {
            watches.computeIfPresent(
                    id,
                    (task, all) -> {
                        all.remove(this);
                        return all.isEmpty() ? null : all;
                    });
        }
    }

    TaskEngine.Watch add(TaskId id, Runnable action) {
        Watch watch = new Watch(id, action);
        watches.compute(
                id,
                (task, all) -> {
                    Set<Watch> added = all == null ? ConcurrentHashMap.newKeySet() : all;
                    added.add(watch);
                    return added;
                });
        return watch;
    }

    void changed(TaskId id) {
        watches.getOrDefault(id, Set.of()).forEach(watch -> watch.action.run());
    }

    void anyChanged() {
        watches.keySet().forEach(this::changed);
    }
}
