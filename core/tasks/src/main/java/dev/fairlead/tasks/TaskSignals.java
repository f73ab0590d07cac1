package dev.fairlead.tasks;

import dev.fairlead.protocol.tasks.TaskId;

/**
 * Wakes threads that wait for a change of a task, also on other nodes. A hint: correctness never
 * depends on it, but the time does that a waiting caller needs to see a change. Safe for use by
 * several threads.
 */
public interface TaskSignals extends AutoCloseable {
    /**
     * Receives signals, in any order, on threads of any kind; returns at once. An exception that it
     * throws is logged and affects neither the signals nor their sender.
     */
    interface Listener {
        /** Something about a task has changed. */
        void changed(TaskId id);

        /** Signals may have been lost: anything may have changed. */
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
     * Whether every change is received before {@link #changed(TaskId)} returns and none is lost, as
     * within one process; if not, waiting threads also read the store periodically.
     */
    default boolean isReliable() {
        return false;
    }

    /** Delivers nothing any more. Closing once more does nothing. */
    @Override
    void close();
}
