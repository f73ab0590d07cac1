package dev.fairlead.client;

import dev.fairlead.protocol.tasks.Task;

/** Receives changes of the status of a task, see {@link TaskHandle#onStatus}. */
@FunctionalInterface
public interface TaskStatusListener {
    /**
     * Called when the status or status message of the task has changed; never with a state older
     * than one received before.
     *
     * @throws Exception is logged
     */
    void changed(Task task) throws Exception;
}
