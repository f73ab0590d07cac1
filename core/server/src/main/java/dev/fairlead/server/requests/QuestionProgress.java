package dev.fairlead.server.requests;

import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/** The listeners for the progress of the questions that tasks of this process ask. Thread-safe. */
public final class QuestionProgress {
    private @Nullable Map<TaskId, ProgressListener> listeners; // guarded by this; null before one

    /** Sets the listener for the progress of later questions of a task; null for none. */
    public synchronized void listen(TaskId task, @Nullable ProgressListener listener) {
        if (listener != null) {
            listeners = listeners == null ? new HashMap<>() : listeners;
            listeners.put(task, listener);
        } else if (listeners != null) {
            listeners.remove(task);
        }
    }

    /** Returns the listener of a task; null if it has none. */
    public synchronized @Nullable ProgressListener of(TaskId task) {
        return listeners == null ? null : listeners.get(task);
    }
}
