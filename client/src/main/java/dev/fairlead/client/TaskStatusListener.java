package dev.fairlead.client;

import dev.fairlead.protocol.tasks.Task;

/** Hears how a task goes on, see {@link TaskHandle#onStatus}. */
@FunctionalInterface
public interface TaskStatusListener {
    /**
     * Status or status message of the task are others now; never older ones than were heard before.
     *
     * @throws Exception is logged
     */
    void changed(Task task) throws Exception;
}
