package dev.fairlead.testing;

import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Nested;

/**
 * The contract of every {@link TaskStore} that several nodes share: all of {@link
 * DurableTaskStoreContract}, and each operation has the same effect on every node.
 */
public abstract class ClusteredTaskStoreContract extends DurableTaskStoreContract {
    /**
     * Returns a store that is not open yet, on the tasks of the one that was made last: another
     * node.
     */
    protected abstract TaskStore furtherNode() throws Exception;

    @Override
    protected TaskStore restarted() throws Exception {
        return furtherNode();
    }

    @Nested
    class Nodes extends TaskNodesTests {
        Nodes() {
            super(ClusteredTaskStoreContract.this);
        }
    }
}
