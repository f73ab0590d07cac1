package dev.fairlead.jdbc;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.tasks.TaskSignals;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Signals between all users of one database in one process. */
final class SharedSignals implements TaskSignals {
    private static final Logger LOG = System.getLogger(SharedSignals.class.getName());

    private final Hub hub;
    private final AtomicBoolean opened = new AtomicBoolean();
    private volatile @Nullable Listener listener;

    SharedSignals(Hub hub) {
        this.hub = hub;
    }

    /** The listeners of one database. */
    static final class Hub {
        private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    }

    @Override
    public void open(Listener listener) {
        if (!opened.compareAndSet(false, true)) {
            throw new IllegalStateException("the signals were opened before");
        }
        this.listener = listener;
        hub.listeners.add(listener);
    }

    @Override
    public void changed(TaskId id) {
        if (listener != null) {
            hub.listeners.forEach(each -> notifyChanged(each, id));
        }
    }

    static void notifyChanged(Listener listener, TaskId id) {
        try {
            listener.changed(id);
        } catch (Throwable e) { // after any failure, others are notified nevertheless
            LimitedLog.failed(
                    LOG, Level.WARNING, "", e, "A listener failed on the signal of task {0}", id);
        }
    }

    static void notifyAnyChanged(Listener listener) {
        try {
            listener.anyChanged();
        } catch (Throwable e) {
            LimitedLog.failed(
                    LOG,
                    Level.WARNING,
                    "",
                    e,
                    "A listener failed on the signal that tasks may have changed");
        }
    }

    @Override
    public void close() {
        Listener current = listener;
        if (current != null) {
            listener = null;
            hub.listeners.remove(current);
        }
    }
}
