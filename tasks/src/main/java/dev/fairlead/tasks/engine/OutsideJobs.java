package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Ends parked tasks, or has them go on, when their outside job is done. */
final class OutsideJobs {
    private static final System.Logger LOGGER = System.getLogger(OutsideJobs.class.getName());

    private final TaskStore store;
    private final TaskWork work;
    private final Ending ending;
    private final RunRegistry runs;
    private final Set<TaskRun> polling = ConcurrentHashMap.newKeySet();

    OutsideJobs(TaskStore store, TaskWork work, Ending ending, RunRegistry runs) {
        this.store = store;
        this.work = work;
        this.ending = ending;
        this.runs = runs;
    }

    boolean finish(String name, String job, TaskOutcome outcome) {
        return store.parked(name, job)
                .filter(parked -> ending.end(parked.task(), outcome))
                .isPresent();
    }

    boolean resume(String name, String job) {
        Optional<TakenTask> resumed =
                store.parked(name, job).flatMap(parked -> store.resume(parked.task().key()));
        resumed.ifPresent(next -> runs.takeOver(next.task(), next.origin()));
        return resumed.isPresent();
    }

    /** Looks after a job, on a thread of its own; unless that is still being done. */
    void poll(TakenTask parked) {
        if (polling.add(parked.task().key())) {
            Thread.ofVirtual()
                    .name("mcp-task-poll-" + parked.task().id().value())
                    .start(() -> pollNow(parked));
        }
    }

    private void pollNow(TakenTask parked) {
        try {
            outcome(parked).ifPresent(outcome -> ending.end(parked.task(), outcome));
        } catch (TaskStoreException e) {
            LOGGER.log(Level.WARNING, "An outside job is done, but was not stored", e);
        } catch (Exception e) {
            LOGGER.log(Level.WARNING, "An outside job could not be looked after", e);
        } finally {
            polling.remove(parked.task().key());
        }
    }

    private Optional<TaskOutcome> outcome(TakenTask parked) throws Exception {
        try {
            return work.poll(parked);
        } catch (JsonRpcException e) {
            return Optional.of(new TaskOutcome.Error(e.error()));
        }
    }
}
