package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskGauges;
import dev.fairlead.tasks.TaskListener;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Reports the events of tasks to listeners and to the log: at level DEBUG, suspicious ones at level
 * WARNING. A listener that fails affects nothing else.
 */
final class Audit {
    private static final System.Logger LOGGER = System.getLogger("dev.fairlead.tasks.audit");

    private final List<TaskListener> listeners;
    private final Clock clock;

    Audit(List<TaskListener> listeners, Clock clock) {
        this.listeners = new CopyOnWriteArrayList<>(listeners);
        this.clock = clock;
    }

    void event(TaskEvent.Kind kind, StoredTask task) {
        event(kind, task.owner(), task.id(), task.name(), null);
    }

    void event(
            TaskEvent.Kind kind,
            Owner owner,
            @Nullable TaskId id,
            @Nullable String name,
            @Nullable String detail) {
        Level level = kind == TaskEvent.Kind.SUSPICIOUS ? Level.WARNING : Level.DEBUG;
        if (listeners.isEmpty() && !LOGGER.isLoggable(level)) {
            return;
        }
        TaskEvent event = new TaskEvent(kind, clock.instant(), owner, id, name, detail);
        LOGGER.log(level, () -> line(event));
        notifyListeners(listener -> listener.onEvent(event));
    }

    /** Adds a listener until the returned action removes it. */
    Runnable observe(TaskListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void gauges(TaskGauges gauges) {
        notifyListeners(listener -> listener.onGauges(gauges));
    }

    private static String line(TaskEvent event) {
        StringBuilder line = new StringBuilder("task ").append(event.kind());
        line.append(" owner=").append(event.owner().key());
        if (event.task() != null) {
            line.append(" task=").append(event.task().value());
        }
        if (event.name() != null) {
            line.append(" name=").append(event.name());
        }
        if (event.detail() != null) {
            line.append(": ").append(event.detail());
        }
        return line.toString();
    }

    private void notifyListeners(Consumer<TaskListener> event) {
        for (TaskListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                LimitedLog.failed(LOGGER, Level.ERROR, "", e, "A listener of tasks failed");
            }
        }
    }
}
