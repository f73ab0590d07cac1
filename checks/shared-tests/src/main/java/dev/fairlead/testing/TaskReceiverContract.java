package dev.fairlead.testing;

import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of tasks over a connection, as a peer sees them, on either side: a server whose tool
 * is called, and a client that is asked for an answer of its person, over a store of your own that
 * passes {@link TaskEngineContract}. Extend this class, implement the method that makes tasks, and
 * run it with JUnit 5 or 6. Stores that outlive their process extend {@link
 * DurableTaskReceiverContract}.
 */
@Timeout(300)
public abstract class TaskReceiverContract {
    /** Returns settings for tasks, without any yet. */
    protected abstract Tasks newTasks() throws Exception;

    @Nested
    class AtServer extends TaskReceiverLifeTests {
        AtServer() {
            super(TaskReceiverContract.this, ServerReceiver::open);
        }
    }

    @Nested
    class AtClient extends TaskReceiverLifeTests {
        AtClient() {
            super(TaskReceiverContract.this, ClientReceiver::open);
        }
    }
}
