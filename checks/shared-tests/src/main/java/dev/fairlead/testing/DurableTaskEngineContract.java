package dev.fairlead.testing;

import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Nested;

/**
 * Tasks after their node has stopped and another has begun: all of {@link TaskEngineContract} over
 * a store of your own that passes {@link DurableTaskStoreContract}, and restarts.
 */
public abstract class DurableTaskEngineContract extends TaskEngineContract {
    /** Returns a store with the tasks of before, see {@link DurableTaskStoreContract#restarted}. */
    protected abstract TaskStore restarted() throws Exception;

    @Nested
    class Restarts extends TaskEngineRestartTests {
        Restarts() {
            super(DurableTaskEngineContract.this);
        }
    }
}
