package dev.fairlead.tasks;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The node that a store holds runs for: the methods of its engine that a store calls. All methods
 * return soon.
 */
public interface TaskNode {
    /** Returns a name for logs and for people who look into the store. */
    String name();

    /** Returns the number of runs that the node can take over now. */
    int freePlaces();

    /** Returns how long an expired task is still known as such. */
    Duration retention();

    /** Runs tasks whose node died; the store has counted the run up already. */
    void takeOver(List<TakenTask> tasks);

    /** Reports tasks that have ended because their node died and they could not run again. */
    void orphansEnded(List<StoredTask> tasks);

    /** Reports tasks that expired before they had ended. */
    void expired(List<StoredTask> tasks);

    /**
     * Reports that a run of this node no longer holds its task for a reason outside of this node,
     * such as a cancellation on another one: its handler is to stop.
     */
    void lost(TaskRun run);

    /** Reports that this node was declared dead: all of its handlers are to stop. */
    void fenced();

    /** Polls the outside job of a parked task, on a thread of its own. */
    void poll(TakenTask parked);

    /** Returns the runs whose handlers are alive here. */
    Set<TaskRun> running();
}
