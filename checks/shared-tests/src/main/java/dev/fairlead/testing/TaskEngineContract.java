package dev.fairlead.testing;

import dev.fairlead.tasks.LocalTaskSignals;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of tasks as a whole, over a store of your own that passes {@link TaskStoreContract}:
 * callers, handlers, questions, outside jobs, and a store that fails for a while. Extend this
 * class, implement the method that makes a store, and run it with JUnit 5 or 6. Stores that outlive
 * their process extend {@link DurableTaskEngineContract}.
 */
@Timeout(300)
public abstract class TaskEngineContract {
    /** A store without tasks that is not open yet. */
    protected abstract TaskStore newStore() throws Exception;

    /** Signals for the store that was made last; within this process unless overridden. */
    protected TaskSignals newSignals() throws Exception {
        return new LocalTaskSignals();
    }

    /**
     * Returns whether the store uses a clock of its own, see {@link
     * TaskStoreContract#hasClockOfItsOwn}.
     */
    protected boolean hasClockOfItsOwn() {
        return false;
    }

    @Nested
    class Lifecycle extends TaskEngineLifecycleTests {
        Lifecycle() {
            super(TaskEngineContract.this);
        }
    }

    @Nested
    class Questions extends TaskEngineQuestionTests {
        Questions() {
            super(TaskEngineContract.this);
        }
    }

    @Nested
    class OutsideJobs extends TaskEngineJobTests {
        OutsideJobs() {
            super(TaskEngineContract.this);
        }
    }

    @Nested
    class Outages extends TaskEngineOutageTests {
        Outages() {
            super(TaskEngineContract.this);
        }
    }

    @Nested
    class Overtaken extends TaskEngineOvertakenTests {
        Overtaken() {
            super(TaskEngineContract.this);
        }
    }
}
