package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.limits.Quota;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskExecutor;
import dev.fairlead.tasks.TaskLimits;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;
import dev.fairlead.tasks.TooManyTasksException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The runs of this node: stores new tasks and begins, abandons and stops their runs. Each run has a
 * place from the acceptance of its task until its handler has really stopped.
 */
final class RunRegistry {
    private static final System.Logger LOGGER = System.getLogger(RunRegistry.class.getName());

    /** The time for which closing waits for handlers. */
    static final Duration CLOSE = Duration.ofSeconds(2);

    private static final String NOT_NOTIFIED = "Its requestor was not notified";

    private final TaskStore store;
    private final Persistence persistence;
    private final TaskLimits limits;
    private final TaskExecutor executor;
    private final Timers timers;
    private final Audit audit;
    private final AdmissionControl admission;
    private final LocalTasks locals;
    private final DeadlineTicker ticker;
    private final TaskRunner runner;
    private final TaskConclusion conclusion;
    private final Quota places;
    private final int maxOfPeer;
    private final Map<TaskRun, Run> alive = new ConcurrentHashMap<>();
    private final TaskIds ids = new TaskIds();

    /**
     * Ends tasks whose requestor was not notified: creations that failed, since a store that fails
     * may have stored the task, and tasks abandoned before they began. On one thread, so that an
     * outage costs no more.
     */
    private final ThreadPoolExecutor compensations =
            new ThreadPoolExecutor(
                    0,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    Thread.ofVirtual().name("mcp-task-undone").factory());

    /**
     * The number of undo actions that wait or run: the counts of an executor are approximations.
     */
    private final AtomicInteger toUndo = new AtomicInteger();

    private final CountDownLatch allGone = new CountDownLatch(1); // counts only when closing
    private volatile boolean closing;

    RunRegistry(
            TaskStore store,
            Persistence persistence,
            TaskLimits limits,
            TaskExecutor executor,
            Timers timers,
            Audit audit,
            AdmissionControl admission,
            LocalTasks locals,
            DeadlineTicker ticker,
            TaskRunner runner,
            TaskConclusion conclusion) {
        this.store = store;
        this.persistence = persistence;
        this.limits = limits;
        this.maxOfPeer = Quota.withoutReserve(limits.maxRunning());
        this.places = Quota.of(limits.maxRunning()).perCaller(maxOfPeer);
        this.executor = executor;
        this.timers = timers;
        this.audit = audit;
        this.admission = admission;
        this.locals = locals;
        this.ticker = ticker;
        this.runner = runner;
        this.conclusion = conclusion;
    }

    // ---- places

    /** Returns how many more runs may begin here. */
    int freePlaces() {
        return closing ? 0 : (int) Math.max(0, limits.maxRunning() - places.held());
    }

    private void leavePlace(Run run) {
        run.place().release();
        if (places.held() == 0 && closing) {
            allGone.countDown();
        }
    }

    /** Returns the runs whose handlers are alive, and those that are about to begin. */
    Set<TaskRun> running() {
        return Set.copyOf(alive.keySet());
    }

    int size() {
        return alive.size();
    }

    int asking() {
        return (int) alive.values().stream().filter(Run::isAsking).count();
    }

    // ---- creation

    /** Creates a task, see {@link TaskEngine#create}. */
    StoredTask create(Owner owner, TaskRequest request) {
        admission.pass(owner);
        NewTask task =
                new NewTask(
                        ids.next(),
                        owner,
                        request.method(),
                        request.name(),
                        request.origin(),
                        request.progressToken(),
                        admission.ttl(owner, request.ttl()),
                        request.rerunnable(),
                        request.answeredQuestions(),
                        request.values());
        if (toUndo.get() > limits.maxRunning()) {
            throw Persistence.unavailable();
        }
        Object peer = owner instanceof Owner.Anonymous ? request.peer() : null;
        Quota.Share place = takePlace(peer, owner, request.name());
        // registered before it is stored, so that a stored task always has a run
        StoredTask expected = StoredTask.created(task, timers.clock().instant());
        return insert(task, register(expected, task.origin(), place));
    }

    /** Takes a place; an anonymous peer has no more than its part in all its sessions. */
    private Quota.Share takePlace(@Nullable Object peer, Owner owner, String name) {
        Quota.Share place = places.share(peer, null);
        if (place.take(1)) {
            return place;
        }
        String most =
                places.held() < limits.maxRunning()
                        ? maxOfPeer + " of a client without authorization"
                        : "" + limits.maxRunning();
        throw admission.refuse(
                owner, name, "Too many tasks, at most " + most + " may run at a time");
    }

    /**
     * Returns how many tasks an owner may have that have not ended. An owner on the loopback
     * interface, where many can be, may have all but the reserve of the places of this node, unless
     * its limit was set. The place of the task that is being created is taken already.
     */
    private int maxActive(Owner owner) {
        boolean spared = owner.isLoopback() && !limits.loopbackTasks();
        return spared && places.held() <= maxOfPeer
                ? Math.max(limits.maxPerOwner(), maxOfPeer)
                : limits.maxPerOwner();
    }

    private StoredTask insert(NewTask task, Run run) {
        try {
            StoredTask stored = store.create(task, maxActive(task.owner()));
            // shares the texts of the task instead of keeping copies
            run.stored(StoredTask.created(task, stored.createdAt()));
            audit.event(TaskEvent.Kind.CREATED, stored);
            return stored;
        } catch (TooManyTasksException e) {
            if (neverBegins(run)) {
                forget(run);
            }
            throw admission.refuse(task.owner(), task.name(), String.valueOf(e.getMessage()));
        } catch (TaskStoreException e) {
            undone(run);
            audit.event(
                    TaskEvent.Kind.REFUSED, task.owner(), null, task.name(), "the store failed");
            throw persistence.refusal(e);
        } catch (RuntimeException | Error e) { // on any failure: the permit must not be lost
            undone(run);
            throw e;
        }
    }

    // ---- the life of a run

    /** Registers a run that has a place; it begins later. */
    private Run register(StoredTask task, RawJson origin, Quota.Share place) {
        Run[] made = new Run[1];
        locals.change(
                task,
                local -> {
                    made[0] = new Run(task, origin, place, local, timers, this::gone);
                    local.run(made[0]);
                });
        Run run = made[0];
        alive.put(run.key(), run);
        try {
            ticker.watch(run.local());
        } catch (OutOfMemoryError e) { // its place must not be lost
            if (neverBegins(run)) {
                forget(run);
            }
            throw e;
        }
        if (closing) { // close() may have gone through the map before this run was in it
            run.stop(Interrupts.CLOSING);
        }
        return run;
    }

    /**
     * Begins the run of a task that was taken over or resumed; it was accepted, so it gets a place.
     * While the engine closes it does nothing: the store then gives the task to the next node.
     */
    void takeOver(StoredTask task, RawJson origin) {
        if (closing) {
            return;
        }
        Quota.Share place = places.share(null, null);
        place.force(1);
        Run run = register(task, origin, place);
        run.stored(task);
        begin(run);
    }

    /** Begins a run, unless it has begun or was requested to stop. */
    void begin(Run run) {
        if (!run.begin()) {
            return;
        }
        Runnable handler = runner.handler(run);
        try {
            if (runner.isBlocking(run)) {
                executor.executeBlocking(run.key(), handler);
            } else {
                executor.execute(run.key(), handler);
            }
        } catch (RuntimeException | Error e) { // on any failure: the permit must not be lost
            LimitedLog.failed(
                    LOGGER, Level.WARNING, "", e, "Task {0} could not be started", run.key().id());
            if (run.take()) {
                refuse(run);
            }
        }
    }

    /**
     * Ends the task of a run that cannot start, on another thread if possible, since this one is
     * not to wait for the store.
     */
    private void refuse(Run run) {
        try {
            Thread.ofVirtual().name("mcp-task-refused").start(() -> refused(run));
        } catch (OutOfMemoryError e) { // the system has no more threads
            refused(run);
        }
    }

    private void refused(Run run) {
        conclusion.conclude(run, TaskConclusion.error("The task could not be started"));
        gone(run);
    }

    /** Gives back the place of a run whose handler has stopped, or will never begin. */
    private void gone(Run run) {
        leavePlace(run);
        release(run);
    }

    private void release(Run run) {
        forget(run);
        try {
            store.release(run.key());
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "The release of a run was not stored", e);
        }
    }

    // ---- runs that never begin: the first call to stop one gives its place back

    /** Compensates for a task that could not be stored, although the store may have it. */
    private void undone(Run run) {
        if (neverBegins(run)) {
            undo(
                    run,
                    () ->
                            conclusion.conclude(
                                    run, TaskConclusion.error("The task could not be created")));
        }
    }

    /** Cancels the task of a run that has not begun. */
    void abandon(Run run) {
        if (neverBegins(run)) {
            try {
                StoredTask task = run.task();
                conclusion.cancel(task.owner(), task.id(), task.name(), NOT_NOTIFIED);
                release(run);
            } catch (TaskStoreException e) {
                undo(run, () -> conclusion.cancelLater(run.task(), NOT_NOTIFIED));
            }
        }
    }

    private boolean neverBegins(Run run) {
        boolean first = run.begin();
        if (first) {
            leavePlace(run);
            locals.changeKnown(run.key().id(), local -> local.ended(run));
        }
        return first;
    }

    private void undo(Run run, Runnable end) {
        toUndo.incrementAndGet();
        compensations.execute(
                () -> {
                    try {
                        end.run();
                        release(run);
                    } catch (Throwable e) { // on any failure: the next one must be undone
                        LimitedLog.failed(LOGGER, Level.ERROR, "", e, "A task could not be undone");
                    } finally {
                        toUndo.decrementAndGet();
                    }
                });
    }

    private void forget(Run run) {
        alive.remove(run.key(), run);
        locals.changeKnown(
                run.key().id(),
                local -> {
                    local.ended(run);
                    local.wakeWaiters(); // also one that has only just come
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
     * Stops the runs of this node, which was declared dead: other nodes have its tasks. A task that
     * is just being stored stays, since the store already holds it for the new incarnation of the
     * node.
     */
    void fence() {
        alive.values().stream().filter(Run::isStored).forEach(run -> run.stop(Interrupts.FENCED));
    }

    /** Stops all handlers for good, and waits for them for a limited time. */
    void close(Duration patience) {
        closing = true;
        alive.values().forEach(run -> run.stop(Interrupts.CLOSING));
        try {
            if (places.held() > 0 && !allGone.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                LOGGER.log(
                        Level.WARNING,
                        "{0} handlers ignore that tasks are closing",
                        Long.toString(places.held()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // close() is not to wait any longer
        }
    }
}
