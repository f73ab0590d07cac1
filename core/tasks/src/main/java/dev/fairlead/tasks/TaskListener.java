package dev.fairlead.tasks;

/** Receives events of tasks, for audit logs and metrics. Must return soon; thread-safe. */
@FunctionalInterface
public interface TaskListener {
    /** Receives an event. Runs on the thread that caused it, after the store has the change. */
    void onEvent(TaskEvent event);

    /** Receives the gauges of this node, about every ten seconds while one of them is not zero. */
    default void onGauges(TaskGauges gauges) {}
}
