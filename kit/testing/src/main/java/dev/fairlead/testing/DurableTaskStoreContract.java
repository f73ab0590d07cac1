package dev.fairlead.testing;

import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Nested;

/**
 * The contract of every {@link TaskStore} that keeps tasks when its process ends: all of {@link
 * TaskStoreContract}, and nothing is lost when a node stops and another begins.
 */
public abstract class DurableTaskStoreContract extends TaskStoreContract {
    /**
     * Returns a store that is not open yet, with the tasks of the one that was made last, which is
     * closed.
     */
    protected abstract TaskStore restarted() throws Exception;

    @Nested
    class Restarts extends TaskRestartTests {
        Restarts() {
            super(DurableTaskStoreContract.this);
        }
    }
}
