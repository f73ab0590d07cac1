package dev.fairlead.tasks;

/** Receives what happens to tasks, for audit logs and metrics. Must return soon; thread-safe. */
@FunctionalInterface
public interface TaskListener {
    /** Something happened. Runs on the thread that did it, after the store has it. */
    void onEvent(TaskEvent event);

    /** What there is on this node; called about every ten seconds while there is anything. */
    default void onGauges(TaskGauges gauges) {}
}
