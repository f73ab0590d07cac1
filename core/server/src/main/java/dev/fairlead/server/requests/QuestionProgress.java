package dev.fairlead.server.requests;

import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The listeners for the progress of the questions that tasks of this process ask. Thread-safe. */
public final class QuestionProgress {
    private final Map<TaskId, ProgressListener> listeners = new ConcurrentHashMap<>();

    /** Sets the listener for the progress of later questions of a task; null for none. */
    public void listen(TaskId task, @Nullable ProgressListener listener) {
        if (listener == null) {
            listeners.remove(task);
        } else {
            listeners.put(task, listener);
        }
    }

    /** Returns the listener of a task; null if it has none. */
    public @Nullable ProgressListener of(TaskId task) {
        return listeners.get(task);
    }
}
