package dev.fairlead.testing;

import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Nested;

/**
 * Tasks, as a peer sees them, when the side that runs them stops and begins again: all of {@link
 * TaskReceiverContract} over a store of your own that passes {@link DurableTaskEngineContract}, and
 * restarts.
 */
public abstract class DurableTaskReceiverContract extends TaskReceiverContract {
    /**
     * Returns the settings for the tasks of before, after the side that ran them has been closed.
     */
    protected abstract Tasks restarted() throws Exception;

    @Nested
    class RestartsOfServer extends TaskReceiverRestartTests {
        RestartsOfServer() {
            super(DurableTaskReceiverContract.this, ServerReceiver::open);
        }
    }

    @Nested
    class RestartsOfClient extends TaskReceiverRestartTests {
        RestartsOfClient() {
            super(DurableTaskReceiverContract.this, ClientReceiver::open);
        }
    }
}
