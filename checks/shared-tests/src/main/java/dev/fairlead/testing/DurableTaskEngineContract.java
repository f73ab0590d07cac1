package dev.fairlead.testing;

import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Nested;

/**
 * What becomes of tasks when their node stops and another begins: all of {@link TaskEngineContract}
 * over a store of your own that passes {@link DurableTaskStoreContract}, and restarts.
 */
public abstract class DurableTaskEngineContract extends TaskEngineContract {
    /** As {@link DurableTaskStoreContract#restarted}. */
    protected abstract TaskStore restarted() throws Exception;

    @Nested
    class Restarts extends TaskEngineRestartTests {
        Restarts() {
            super(DurableTaskEngineContract.this);
        }
    }
}
