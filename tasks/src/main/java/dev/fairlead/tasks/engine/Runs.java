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
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The runs of this node: each has a place from when its task is accepted until its handler has
 * really stopped.
 */
final class Runs {
    private static final System.Logger LOGGER = System.getLogger(Runs.class.getName());

    /** How long {@link #close} waits for handlers. */
    static final Duration CLOSE = Duration.ofSeconds(2);

    private static final String UNTOLD = "Its requestor was not told of it";

    private final NodeParts parts;
    private final TaskExecutor executor;
    private final boolean storeBlocks;
    private final AtomicInteger places = new AtomicInteger();
    private final Map<TaskRun, Run> alive = new ConcurrentHashMap<>();
    private final CompensationQueue undoing;
    private final CountDownLatch allGone = new CountDownLatch(1); // counts only when closing
    private volatile boolean closing;

    Runs(NodeParts parts, TaskExecutor executor) {
        this.parts = parts;
        this.executor = executor;
        this.storeBlocks = parts.store().blocks();
        this.undoing = new CompensationQueue(parts.limits().maxRunning());
    }

    // ---- places

    /** Takes a place for a new task, if there is one. */
    boolean takePlace() {
        int most = parts.limits().maxRunning();
        return places.getAndUpdate(taken -> taken < most ? taken + 1 : taken) < most;
    }

    /** How many more runs may begin here. */
    int freePlaces() {
        return closing ? 0 : Math.max(0, parts.limits().maxRunning() - places.get());
    }

    private void leavePlace() {
        if (places.decrementAndGet() == 0 && closing) {
            allGone.countDown();
        }
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

    /** Whether calls of the store may wait. */
    boolean storeBlocks() {
        return storeBlocks;
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
        if (closing) { // close() may have gone through the map before this run was in it
            run.stop(Reasons.CLOSING);
        }
        return run;
    }

    /**
     * Begins the run of a task that was taken over, or goes on; it was accepted, so it gets a
     * place. Not while all is closing: the store gives it to the next node then.
     */
    void takeOver(StoredTask task, RawJson origin) {
        if (closing) {
            return;
        }
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
            TaskRunner performance = new TaskRunner(parts, this, run);
            if (parts.work().isBlocking(run.name())) {
                executor.executeBlocking(run.key(), performance);
            } else {
                executor.execute(run.key(), performance);
            }
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

    /**
     * Ends the task of a run, as soon as the store can be reached and after all progress of the run
     * was told.
     */
    void conclude(Run run, TaskOutcome outcome) {
        run.reporting().flush();
        StoredTask task = run.task();
        boolean[] failed = {false};
        try {
            boolean ended =
                    parts.persistence()
                            .uninterrupted(
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
        }
    }

    /** The handler of a run has stopped, or will never begin. */
    void gone(Run run) {
        leavePlace();
        release(run);
    }

    private void release(Run run) {
        forget(run);
        try {
            parts.store().release(run.key());
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "The store was not told that a run is over", e);
        }
    }

    // ---- runs that never begin: whoever stops one first has it leave its place

    /** The task was not stored: nobody will ever know the run. */
    void refuse(Run run) {
        if (neverBegins(run)) {
            forget(run);
        }
    }

    /** The task could not be stored; it may nevertheless have been. */
    void undone(Run run) {
        if (neverBegins(run)) {
            undo(run, () -> conclude(run, error("The task could not be created")));
        }
    }

    /** Nobody waits for the task. */
    void abandon(Run run) {
        if (neverBegins(run)) {
            try {
                cancel(run.task());
                release(run);
            } catch (TaskStoreException e) {
                undo(run, () -> cancelLater(run.task()));
            }
        }
    }

    private boolean neverBegins(Run run) {
        boolean first = run.begin();
        if (first) {
            leavePlace();
            parts.locals().changeKnown(run.key().id(), local -> local.ended(run));
        }
        return first;
    }

    private void undo(Run run, Runnable end) {
        undoing.add(
                () -> {
                    end.run();
                    release(run);
                });
    }

    private boolean cancel(StoredTask task) {
        return parts.ending().cancel(task.owner(), task.id(), task.name(), UNTOLD);
    }

    private void cancelLater(StoredTask task) {
        try {
            parts.persistence().uninterrupted(task.expiresAt(), () -> cancel(task));
        } catch (TaskStoreException e) {
            LOGGER.log(Level.WARNING, "Task " + task.id() + " was not cancelled", e);
        }
    }

    /** Whether so many tasks wait for being undone that no further one is to be created. */
    boolean isUndoing() {
        return undoing.isFull();
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

    /**
     * This node was declared dead: others have the tasks that it held. One that is only being
     * stored is not among them: the store holds it for what the node is from now on.
     */
    void fence() {
        alive.values().stream().filter(Run::isStored).forEach(run -> run.stop(Reasons.FENCED));
    }

    /** Stops all handlers for good, and waits for them, but not long. */
    void close() {
        closing = true;
        alive.values().forEach(run -> run.stop(Reasons.CLOSING));
        try {
            if (places.get() > 0 && !allGone.await(CLOSE.toNanos(), TimeUnit.NANOSECONDS)) {
                LOGGER.log(Level.WARNING, "{0} handlers ignore that tasks are closing", places);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // whoever closes does not want to wait
        }
    }
}
