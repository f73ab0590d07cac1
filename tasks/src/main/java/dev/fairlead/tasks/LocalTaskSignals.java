package dev.fairlead.tasks;

import dev.fairlead.protocol.TaskId;

import org.jspecify.annotations.Nullable;

/** Signals within one process: heard at once, on the thread of whoever changed the task. */
public final class LocalTaskSignals implements TaskSignals {
    private volatile @Nullable Listener listener;

    @Override
    public void open(Listener hearing) {
        if (listener != null) {
            throw new IllegalStateException("the signals are open already");
        }
        listener = hearing;
    }

    @Override
    public void changed(TaskId id) {
        Listener hearing = listener;
        if (hearing != null) {
            hearing.changed(id);
        }
    }

    @Override
    public void close() {
        listener = null;
    }
}
