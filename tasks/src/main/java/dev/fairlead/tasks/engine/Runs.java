package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskExecutor;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStoreException;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The runs of this node: each has a place from when its task is accepted until its handler has
 * really stopped.
 */
final class Runs {
    private static final System.Logger LOGGER = System.getLogger(Runs.class.getName());

    private final NodeParts parts;
    private final TaskExecutor executor;
    private final AtomicInteger places = new AtomicInteger();
    private final Map<TaskRun, Run> alive = new ConcurrentHashMap<>();

    Runs(NodeParts parts, TaskExecutor executor) {
        this.parts = parts;
        this.executor = executor;
    }

    // ---- places

    /** Takes a place for a new task, if there is one. */
    boolean takePlace() {
        int most = parts.limits().maxRunning();
        return places.getAndUpdate(taken -> taken < most ? taken + 1 : taken) < most;
    }

    /** How many more runs may begin here. */
    int freePlaces() {
        return Math.max(0, parts.limits().maxRunning() - places.get());
    }

    /** The runs whose handlers are alive, and those that are about to begin. */
    Set<TaskRun> running() {
        return Set.copyOf(alive.keySet());
    }

    int size() {
        return alive.size();
    }

    int asking() {
        return (int) alive.values().stream().filter(Run::isAsking).count();
    }

    // ---- the life of a run

    /** Registers a run that has a place; it begins later. */
    Run register(StoredTask task, RawJson origin) {
        Run run =
                parts.locals()
                        .change(
                                task,
                                local -> {
                                    Run made = new Run(this, parts, task, origin, local);
                                    local.run(made);
                                    return made;
                                });
        alive.put(run.key(), run);
        parts.pulse().watch(run.local());
        return run;
    }

    /**
     * Begins the run of a task that was taken over, or goes on; it was accepted, so it gets a
     * place.
     */
    void takeOver(StoredTask task, RawJson origin) {
        places.incrementAndGet();
        Run run = register(task, origin);
        run.stored(task);
        begin(run);
    }

    /** Has a run begin, unless it did or was told to stop before. */
    void begin(Run run) {
        if (!run.begin()) {
            return;
        }
        try {
            executor.execute(run.key(), new Performance(parts, this, run));
        } catch (RejectedExecutionException e) {
            LOGGER.log(Level.WARNING, "Task " + run.key().id() + " could not be started", e);
            Thread.ofVirtual().name("mcp-task-refused").start(() -> refused(run));
        }
    }

    private void refused(Run run) {
        conclude(run, error("The task could not be started"));
        gone(run);
    }

    static TaskOutcome error(String message) {
        return new TaskOutcome.Error(new JsonRpcError(ErrorCode.INTERNAL_ERROR, message));
    }

    /** Ends the task of a run, as soon as the store can be reached. */
    void conclude(Run run, TaskOutcome outcome) {
        StoredTask task = run.task();
        boolean[] failed = {false};
        try {
            boolean ended =
                    parts.persistence()
                            .until(
                                    task.expiresAt(),
                                    () -> {
                                        boolean unsure = failed[0];
                                        failed[0] = true;
                                        boolean done = parts.ending().end(task, outcome);
                                        failed[0] = unsure;
                                        return done;
                                    });
            if (!ended && failed[0] && parts.ending().hasEnded(task, outcome)) {
                parts.ending().tell(task, outcome.state());
            }
        } catch (TaskStoreException e) {
            LOGGER.log(Level.WARNING, "The end of task " + task.id() + " was not stored", e);
        } catch (InterruptedException e) {
            LOGGER.log(Level.WARNING, "The end of task {0} was interrupted", task.id());
        }
    }

    /** The handler of a run has stopped, or will never begin. */
    void gone(Run run) {
        places.decrementAndGet();
        forget(run);
        try {
            parts.store().release(run.key());
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "The store was not told that a run is over", e);
        }
    }

    /** The run never came about; its task may nevertheless have been stored. */
    void undone(Run run) {
        places.decrementAndGet();
        run.begin();
        parts.locals().changeKnown(run.key().id(), local -> local.ended(run));
        Thread.ofVirtual()
                .name("mcp-task-undone")
                .start(
                        () -> {
                            conclude(run, error("The task could not be created"));
                            forget(run);
                        });
    }

    /** The task was not stored: nobody will ever know the run. */
    void refuse(Run run) {
        places.decrementAndGet();
        run.begin();
        forget(run);
    }

    private void forget(Run run) {
        alive.remove(run.key(), run);
        parts.locals()
                .changeKnown(
                        run.key().id(),
                        local -> {
                            local.ended(run);
                            local.waiters().forEach(Waiter::wake); // who has only just come
                        });
    }

    // ---- stopping

    void stop(TaskRun key, String reason) {
        Run run = alive.get(key);
        if (run != null) {
            run.stop(reason);
        }
    }

    void stopAll(String reason) {
        alive.values().forEach(run -> run.stop(reason));
    }
}
