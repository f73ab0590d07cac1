package dev.fairlead.tasks;

import dev.fairlead.protocol.tasks.TaskId;

/**
 * Wakes threads that wait for a change of a task, also on other nodes. A hint: it determines how
 * soon a waiting caller sees a change, and correctness never depends on it. Safe for use by several
 * threads.
 */
public interface TaskSignals extends AutoCloseable {
    /**
     * Receives signals, in any order, on threads of any kind; returns at once. An exception that it
     * throws is logged and affects neither the signals nor their sender.
     */
    interface Listener {
        /** Receives the signal that a task has changed. */
        void changed(TaskId id);

        /** Receives the signal that signals may have been lost: any task may have changed. */
        void anyChanged();
    }

    /**
     * Begins to deliver signals.
     *
     * @throws IllegalStateException if the signals were opened before
     */
    void open(Listener listener);

    /**
     * Signals to every node, this one included, that a task has changed. Returns at once; does
     * nothing before {@link #open} and after {@link #close}.
     */
    void changed(TaskId id);

    /**
     * Returns whether every change is received before {@link #changed(TaskId)} returns and none is
     * lost, as within one process; if not, waiting threads also read the store periodically.
     */
    default boolean isReliable() {
        return false;
    }

    /** Stops delivering signals. Closing once more does nothing. */
    @Override
    void close();
}
