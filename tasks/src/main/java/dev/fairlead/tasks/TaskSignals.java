package dev.fairlead.tasks;

import dev.fairlead.protocol.TaskId;

/**
 * Wakes up whoever waits for a change of a task, also on other nodes. A hint: correctness never
 * depends on it, but the time does that a waiting caller needs to see a change. Safe for use by
 * several threads.
 */
public interface TaskSignals extends AutoCloseable {
    /** Hears signals, on threads of the signals; returns at once. */
    interface Listener {
        /** Something about a task has changed. */
        void changed(TaskId id);

        /** Signals may have been lost: anything may have changed. */
        void anyChanged();
    }

    /** Begins to deliver signals. Called once. */
    void open(Listener listener);

    /** Tells every node, this one included, that a task has changed. Returns at once. */
    void changed(TaskId id);

    @Override
    void close();
}
