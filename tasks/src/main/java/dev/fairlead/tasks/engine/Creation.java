package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskLimits;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;
import dev.fairlead.tasks.TooManyTasksException;

/** Stores new tasks, each with a run that has a place here and is yet to begin. */
final class Creation {
    private final TaskStore store;
    private final Persistence persistence;
    private final TaskLimits limits;
    private final Timers timers;
    private final Audit audit;
    private final AdmissionControl gate;
    private final RunRegistry runs;
    private final TaskIds ids = new TaskIds();

    Creation(
            TaskStore store,
            Persistence persistence,
            TaskLimits limits,
            Timers timers,
            Audit audit,
            AdmissionControl gate,
            RunRegistry runs) {
        this.store = store;
        this.persistence = persistence;
        this.limits = limits;
        this.timers = timers;
        this.audit = audit;
        this.gate = gate;
        this.runs = runs;
    }

    /** As {@link TaskEngine#create}. */
    StoredTask create(Owner owner, TaskRequest request) {
        gate.pass(owner);
        NewTask task =
                new NewTask(
                        ids.next(),
                        owner,
                        request.method(),
                        request.name(),
                        request.origin(),
                        request.progressToken(),
                        gate.ttl(owner, request.ttl()),
                        request.rerunnable());
        if (runs.isUndoing()) {
            throw Refusal.unavailable();
        }
        if (!runs.takePlace()) {
            throw gate.refuse(
                    owner,
                    request.name(),
                    "Too many tasks, at most " + limits.maxRunning() + " may run at a time");
        }
        // registered before it is stored, so that a stored task always has somebody who runs it
        StoredTask expected = StoredTask.created(task, timers.clock().instant());
        return insert(task, runs.register(expected, task.origin()));
    }

    private StoredTask insert(NewTask task, Run run) {
        try {
            StoredTask stored = store.create(task, limits.maxPerOwner());
            // of its texts those that are there already instead of copies of them
            run.stored(StoredTask.created(task, stored.createdAt()));
            audit.event(TaskEvent.Kind.CREATED, stored);
            return stored;
        } catch (TooManyTasksException e) {
            runs.refuse(run);
            throw gate.refuse(task.owner(), task.name(), String.valueOf(e.getMessage()));
        } catch (TaskStoreException e) {
            runs.undone(run);
            audit.event(
                    TaskEvent.Kind.REFUSED, task.owner(), null, task.name(), "the store failed");
            throw persistence.refusal(e);
        } catch (RuntimeException | Error e) { // whatever it is, the place must not be lost
            runs.undone(run);
            throw e;
        }
    }
}
