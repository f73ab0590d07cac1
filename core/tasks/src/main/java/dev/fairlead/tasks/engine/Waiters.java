package dev.fairlead.tasks.engine;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskSnapshot;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Callers that wait for tasks to end, each on its own thread. */
final class Waiters {
    /**
     * The time for which a caller waits for a store that is down to find a task; a known task is
     * waited for as long as it lives, and this long after its end.
     */
    static final Duration OUTAGE = Duration.ofSeconds(10);

    private final TaskStore store;
    private final Persistence persistence;
    private final Timers timers;
    private final LocalTasks locals;
    private final DeadlineTicker ticker;
    private final QuestionDeliveries deliveries;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean closed;

    Waiters(
            TaskStore store,
            Persistence persistence,
            Timers timers,
            LocalTasks locals,
            DeadlineTicker ticker,
            QuestionDeliveries deliveries) {
        this.store = store;
        this.persistence = persistence;
        this.timers = timers;
        this.locals = locals;
        this.ticker = ticker;
        this.deliveries = deliveries;
    }

    /** Returns the number of waiting callers. */
    int size() {
        return waiting.get();
    }

    /** Waits for the end of a task, see {@link TaskEngine#await}; empty if the task is unknown. */
    Optional<TaskOutcome> await(Owner owner, TaskId id, TaskCarrier stream)
            throws InterruptedException {
        Run run = runHere(owner, id);
        if (run != null) { // a task that runs here needs no look at the store
            StoredTask task = run.task();
            TaskOutcome outcome = waitForEnd(task, stream, run);
            if (outcome != null) {
                return Optional.of(written(task, outcome, stream));
            }
        }
        Instant life = Instant.MIN; // not known yet
        while (true) {
            TaskSnapshot found = read(life, () -> store.snapshot(owner, id)).orElse(null);
            if (found == null) {
                return Optional.empty();
            }
            StoredTask task = found.task();
            TaskOutcome outcome = found.outcome();
            if (outcome == null) {
                requireOpen(task);
                outcome = waitForEnd(task, stream, null);
            }
            if (outcome != null) {
                return Optional.of(written(task, outcome, stream));
            }
            life = task.expiresAt();
        }
    }

    /** Returns an outcome in the form of the stream. */
    private static TaskOutcome written(StoredTask task, TaskOutcome outcome, TaskCarrier stream) {
        return outcome instanceof TaskOutcome.Result result
                ? new TaskOutcome.Result(stream.write(task, result.value()), result.failure())
                : outcome;
    }

    /** Throws if a task has ended without an outcome. */
    private static void requireOpen(StoredTask task) {
        if (task.state() == TaskState.CANCELLED) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR,
                    "Task was cancelled",
                    JsonObject.of("taskId", task.id().value(), "status", "cancelled"));
        }
        if (task.state() == TaskState.EXPIRED) {
            throw AdmissionControl.expired();
        }
    }

    /** Returns the run of a task of the owner; null if the task does not run here. */
    private @Nullable Run runHere(Owner owner, TaskId id) {
        return locals.find(id)
                .filter(local -> local.owner().access().equals(owner.access()))
                .flatMap(LocalTask::run)
                .filter(Run::isStored)
                .orElse(null);
    }

    /**
     * Waits for the end.
     *
     * @param run a run that still has to end, if nothing is to be sent before; null for none
     * @return the outcome, if the task ended on this node
     */
    private @Nullable TaskOutcome waitForEnd(StoredTask task, TaskCarrier stream, @Nullable Run run)
            throws InterruptedException {
        Waiter waiter = new Waiter(stream, task);
        LocalTask local = locals.change(task, known -> known.add(waiter));
        waiting.incrementAndGet();
        try {
            ticker.watch(local);
            if (run != null && run.isQuiet() && local.run().isPresent()) {
                waiter.await();
            }
            while (!waiter.isEnded() && !hasEnded(task, local, waiter)) {
                waiter.await();
            }
            return waiter.outcome();
        } finally {
            try {
                locals.changeKnown(task.id(), known -> known.remove(waiter));
            } finally { // last: a caller that is no longer counted is no longer asked anything
                waiting.decrementAndGet();
            }
        }
    }

    private boolean hasEnded(StoredTask task, LocalTask local, Waiter waiter)
            throws InterruptedException {
        if (closed) {
            throw AdmissionControl.closing();
        }
        LocalTask.Look look =
                read(task.expiresAt(), () -> local.look(() -> readFor(local, waiter)));
        StoredTask now = look.task();
        if (now == null || now.state().isEnded()) {
            return true;
        }
        try {
            if (look.newest() == waiter) {
                waiter.sendState(now);
                if (!look.runsHere()) {
                    waiter.sendProgress(now);
                }
            }
        } finally {
            if (now.state() == TaskState.INPUT_REQUIRED && look.reader() == waiter) {
                deliveries.match(local);
            }
        }
        return false;
    }

    private LocalTask.Look readFor(LocalTask local, Waiter reader) {
        // before the read: a run here sends its progress itself
        boolean runsHere = local.run().isPresent();
        StoredTask found = store.find(local.owner(), local.id()).orElse(null);
        return new LocalTask.Look(found, runsHere, local.newestWaiter().orElse(null), reader);
    }

    /**
     * Reads from the store, and waits for it where it is down.
     *
     * @param life until when the task lives
     */
    private <T> T read(Instant life, Supplier<T> call) throws InterruptedException {
        Instant least = timers.clock().instant().plus(OUTAGE);
        Instant end = life.isAfter(least) ? life : least;
        try {
            return persistence.until(end, call);
        } catch (TaskStoreException e) {
            throw closed ? AdmissionControl.closing() : persistence.refusal(e);
        }
    }

    /** Ends all waits with an error. */
    void close() {
        closed = true;
        locals.all().forEach(LocalTask::wakeWaiters);
    }
}
