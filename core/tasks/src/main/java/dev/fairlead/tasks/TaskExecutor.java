package dev.fairlead.tasks;

import dev.fairlead.protocol.relay.HandlerThread;

import java.util.concurrent.RejectedExecutionException;

/**
 * Decides where and when the run of a task takes place.
 *
 * @see #virtualThreads
 */
@FunctionalInterface
public interface TaskExecutor {
    /**
     * Executes a run, now or later, on a thread of its own in this process. Returns at once.
     *
     * @param run to be called once; it blocks until the handler is done
     * @throws RejectedExecutionException if it will not; the task then fails
     */
    void execute(TaskRun task, Runnable run);

    /**
     * Executes a run that computes or calls native code for long, and would occupy the carrier
     * threads of virtual threads. Calls {@link #execute} unless overridden.
     */
    default void executeBlocking(TaskRun task, Runnable run) {
        execute(task, run);
    }

    /**
     * Returns an executor that starts each run at once on a thread of its own: a virtual one, or a
     * platform one for a blocking run. The threads inherit the context class loader, and no
     * thread-local values.
     */
    static TaskExecutor virtualThreads() {
        return new TaskExecutor() {
            @Override
            public void execute(TaskRun task, Runnable run) {
                start(Thread.ofVirtual(), task, run);
            }

            @Override
            public void executeBlocking(TaskRun task, Runnable run) {
                start(Thread.ofPlatform().daemon(), task, run);
            }

            private void start(Thread.Builder thread, TaskRun task, Runnable run) {
                try {
                    HandlerThread.unstarted(thread.name("mcp-task-" + task.id().value()), run)
                            .start();
                } catch (OutOfMemoryError e) { // the system has no more threads
                    throw new RejectedExecutionException("No thread could be started", e);
                }
            }
        };
    }
}
