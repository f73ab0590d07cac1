package dev.fairlead.tasks;

/**
 * Decides where and when the run of a task takes place.
 *
 * @see #virtualThreads
 */
@FunctionalInterface
public interface TaskExecutor {
    /**
     * Has a run take place, now or later, on a thread of its own in this process. Returns at once.
     *
     * @param run to be called once; it blocks until the handler is done
     * @throws java.util.concurrent.RejectedExecutionException if it will not; the task then fails
     */
    void execute(TaskRun task, Runnable run);

    /** Each run on a virtual thread of its own, at once. */
    static TaskExecutor virtualThreads() {
        return (task, run) -> Thread.ofVirtual().name("mcp-task-" + task.id().value()).start(run);
    }
}
