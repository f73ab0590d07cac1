package dev.fairlead.tasks;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/** Signals within one process: delivered at once, on the thread that changed the task. */
public final class LocalTaskSignals implements TaskSignals {
    private static final System.Logger LOGGER = System.getLogger(LocalTaskSignals.class.getName());

    private final AtomicBoolean opened = new AtomicBoolean();
    private volatile @Nullable Listener listener;

    @Override
    public void open(Listener listener) {
        if (!opened.compareAndSet(false, true)) {
            throw new IllegalStateException("the signals were opened before");
        }
        this.listener = listener;
    }

    @Override
    public void changed(TaskId id) {
        Listener current = listener;
        if (current == null) {
            return;
        }
        try {
            current.changed(id);
        } catch (RuntimeException e) {
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    "",
                    e,
                    "A listener failed on the signal of task {0}",
                    id);
        }
    }

    @Override
    public boolean isReliable() {
        return true;
    }

    @Override
    public void close() {
        listener = null;
    }
}
