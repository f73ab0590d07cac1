package dev.fairlead.tasks.engine;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Callers that wait for tasks to end, each on its own thread. */
final class Waiters {
    /**
     * How long a caller waits for a store that is down to find a task; once the task is known, as
     * long as it lives, and this long after its end.
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

    /** How many there are. */
    int size() {
        return waiting.get();
    }

    /** As {@link TaskEngine#await}; empty if there is no such task. */
    Optional<TaskOutcome> await(Owner owner, TaskId id, TaskCarrier stream)
            throws InterruptedException {
        Joined joined = join(owner, id, stream);
        if (joined != null) { // a task that runs here needs no look at the store
            StoredTask task = joined.run().task();
            TaskOutcome outcomeHere =
                    waitForEnd(task, joined.local(), joined.waiter(), joined.run());
            if (outcomeHere != null) {
                return Optional.of(written(task, outcomeHere, stream));
            }
        }
        Instant life = Instant.MIN; // not known yet
        while (true) {
            Instant until = life;
            Optional<TaskOutcome> outcome = read(until, () -> store.outcome(owner, id));
            StoredTask task = read(until, () -> store.find(owner, id)).orElse(null);
            if (task == null) {
                return Optional.empty();
            }
            TaskOutcome outcomeHere = outcome.orElse(null);
            if (outcomeHere == null && isOpen(task)) {
                outcomeHere = waitForEnd(task, stream);
            }
            if (outcomeHere != null) {
                return Optional.of(written(task, outcomeHere, stream));
            }
            life = task.expiresAt();
        }
    }

    /** Returns an outcome as it is sent. */
    private static TaskOutcome written(StoredTask task, TaskOutcome outcome, TaskCarrier stream) {
        return outcome instanceof TaskOutcome.Result result
                ? new TaskOutcome.Result(stream.write(task, result.value()), result.failure())
                : outcome;
    }

    /** Whether it may still end with an outcome, or has just done so. */
    private static boolean isOpen(StoredTask task) {
        return switch (task.state()) {
            case CANCELLED -> throw cancelled(task.id());
            case EXPIRED -> throw AdmissionControl.expired();
            case WORKING, INPUT_REQUIRED -> true;
            case RESULT, FAILURE, ERROR -> false;
        };
    }

    private static JsonRpcException cancelled(TaskId id) {
        return new JsonRpcException(
                ErrorCode.INTERNAL_ERROR,
                "Task was cancelled",
                JsonObject.of("taskId", id.value(), "status", "cancelled"));
    }

    /** A waiter for a task that runs here. */
    private record Joined(LocalTask local, Run run, Waiter waiter) {}

    private @Nullable Joined join(Owner owner, TaskId id, TaskCarrier stream) {
        AtomicReference<@Nullable Joined> joined = new AtomicReference<>();
        locals.changeKnown(
                id,
                local -> {
                    Run run = local.run().filter(Run::isStored).orElse(null);
                    if (run != null && local.owner().access().equals(owner.access())) {
                        Waiter waiter = new Waiter(stream, run.task());
                        local.add(waiter);
                        joined.set(new Joined(local, run, waiter));
                    }
                });
        return joined.get();
    }

    private @Nullable TaskOutcome waitForEnd(StoredTask task, TaskCarrier stream)
            throws InterruptedException {
        Waiter waiter = new Waiter(stream, task);
        LocalTask local = locals.change(task, known -> known.add(waiter));
        return waitForEnd(task, local, waiter, null);
    }

    /**
     * Waits for the end.
     *
     * @param run one that still has to end, if there is nothing to send before; null for none
     * @return what it ended with, if it ended on this node
     */
    private @Nullable TaskOutcome waitForEnd(
            StoredTask task, LocalTask local, Waiter waiter, @Nullable Run run)
            throws InterruptedException {
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
            waiting.decrementAndGet();
            locals.changeKnown(task.id(), known -> known.remove(waiter));
        }
    }

    private boolean hasEnded(StoredTask task, LocalTask local, Waiter waiter)
            throws InterruptedException {
        if (closed) {
            throw AdmissionControl.closing();
        }
        boolean runsHere =
                local.run().isPresent(); // before the read: a run here sends its progress itself
        Optional<StoredTask> found =
                read(task.expiresAt(), () -> store.find(task.owner(), task.id()));
        if (found.isEmpty() || found.get().state().isEnded()) {
            return true;
        }
        StoredTask now = found.get();
        if (local.newestWaiter().filter(newest -> newest == waiter).isPresent()) {
            waiter.sendState(now);
            if (!runsHere) {
                waiter.sendProgress(now);
            }
        }
        if (now.state() == TaskState.INPUT_REQUIRED) {
            deliveries.match(local);
        }
        return false;
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

    /** Ends all waits, with an error. */
    void close() {
        closed = true;
        locals.all().forEach(local -> local.waiters().forEach(Waiter::wake));
    }
}
