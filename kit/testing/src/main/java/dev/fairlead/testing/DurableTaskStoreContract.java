package dev.fairlead.testing;

import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Nested;

/**
 * What every {@link TaskStore} must do that keeps tasks when its process ends: all of {@link
 * TaskStoreContract}, and that nothing is lost when a node stops and another begins.
 */
public abstract class DurableTaskStoreContract extends TaskStoreContract {
    /**
     * A store that is not open yet, with the tasks of the one that was made last, which is closed.
     */
    protected abstract TaskStore restarted() throws Exception;

    @Nested
    class Restarts extends TaskRestartTests {
        Restarts() {
            super(DurableTaskStoreContract.this);
        }
    }
}
