package dev.fairlead.server.requests;

import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Who hears the progress of the questions that tasks of this process ask. Thread-safe. */
public final class QuestionProgress {
    private final Map<TaskId, ProgressListener> listeners = new ConcurrentHashMap<>();

    /** Has a listener hear the progress of what a task asks from now on; null for nobody. */
    public void listen(TaskId task, @Nullable ProgressListener listener) {
        if (listener == null) {
            listeners.remove(task);
        } else {
            listeners.put(task, listener);
        }
    }

    public @Nullable ProgressListener of(TaskId task) {
        return listeners.get(task);
    }
}
