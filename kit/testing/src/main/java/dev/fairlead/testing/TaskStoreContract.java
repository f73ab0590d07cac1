package dev.fairlead.testing;

import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every {@link TaskStore}, on one node. Extend this class, implement the method
 * that makes a store, and run it with JUnit 5 or 6. Stores that outlive their process extend {@link
 * DurableTaskStoreContract}, those that several nodes share {@link ClusteredTaskStoreContract}.
 */
@Timeout(300)
public abstract class TaskStoreContract {
    /** Returns a store without tasks that is not open yet. The contract opens and closes it. */
    protected abstract TaskStore newStore() throws Exception;

    /**
     * Returns whether the store uses a clock of its own, such as a database's, in place of the one
     * that it is opened with. The contract then waits where it would move the clock, and leaves out
     * the tests of clocks that jump. False unless overridden.
     */
    protected boolean hasClockOfItsOwn() {
        return false;
    }

    @Nested
    class Creation extends TaskCreationTests {
        Creation() {
            super(TaskStoreContract.this);
        }
    }

    @Nested
    class Ownership extends TaskOwnershipTests {
        Ownership() {
            super(TaskStoreContract.this);
        }
    }

    @Nested
    class Runs extends TaskRunTests {
        Runs() {
            super(TaskStoreContract.this);
        }
    }

    @Nested
    class Questions extends TaskQuestionTests {
        Questions() {
            super(TaskStoreContract.this);
        }
    }

    @Nested
    class Values extends TaskValueTests {
        Values() {
            super(TaskStoreContract.this);
        }
    }

    @Nested
    class Parking extends ParkedTaskTests {
        Parking() {
            super(TaskStoreContract.this);
        }
    }

    @Nested
    class Lists extends TaskListTests {
        Lists() {
            super(TaskStoreContract.this);
        }
    }

    @Nested
    class Overview extends TaskOverviewTests {
        Overview() {
            super(TaskStoreContract.this);
        }
    }

    @Nested
    class Expiry extends TaskExpiryTests {
        Expiry() {
            super(TaskStoreContract.this);
        }
    }

    @Nested
    class Races extends TaskRaceTests {
        Races() {
            super(TaskStoreContract.this);
        }
    }

    @Nested
    class Callers extends TaskStoreCallerTests {
        Callers() {
            super(TaskStoreContract.this);
        }
    }
}
