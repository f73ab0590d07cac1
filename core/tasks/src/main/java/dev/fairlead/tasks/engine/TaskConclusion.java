package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.Optional;

/** Ends tasks with their outcome, or parks them, and publishes the change. */
final class TaskConclusion {
    private static final System.Logger LOGGER = System.getLogger(TaskConclusion.class.getName());

    /** The greatest length of a status message in characters; longer ones are cut. */
    static final int MAX_STATUS_MESSAGE = 1_000;

    private final TaskStore store;
    private final int maxResultBytes;
    private final TaskWork work;
    private final LocalTasks locals;
    private final ChangePublisher changes;
    private final Persistence persistence;
    private final Audit audit;

    TaskConclusion(
            TaskStore store,
            int maxResultBytes,
            TaskWork work,
            LocalTasks locals,
            ChangePublisher changes,
            Persistence persistence,
            Audit audit) {
        this.store = store;
        this.maxResultBytes = maxResultBytes;
        this.work = work;
        this.locals = locals;
        this.changes = changes;
        this.persistence = persistence;
        this.audit = audit;
    }

    /**
     * Ends a task, if its run still holds it.
     *
     * @param task as it was in that run
     */
    boolean end(StoredTask task, TaskOutcome outcome) {
        TaskOutcome kept = bounded(outcome);
        if (!store.end(task.key(), kept, statusMessage(kept))) {
            return false;
        }
        publishEnd(task, kept.state(), kept);
        return true;
    }

    static TaskOutcome error(String message) {
        return new TaskOutcome.Error(new JsonRpcError(ErrorCode.INTERNAL_ERROR, message));
    }

    /**
     * Ends the task of a run, as soon as the store can be reached and after all progress of the run
     * was sent.
     */
    void conclude(Run run, TaskOutcome outcome) {
        run.flush();
        StoredTask task = run.task();
        boolean[] failed = {false};
        try {
            boolean ended =
                    persistence.uninterrupted(
                            task.expiresAt(),
                            () -> {
                                boolean unsure = failed[0];
                                failed[0] = true;
                                boolean done = end(task, outcome);
                                failed[0] = unsure;
                                return done;
                            });
            if (!ended && failed[0] && hasEnded(task, outcome)) {
                publishEnd(task, outcome.state(), null);
            }
        } catch (TaskStoreException e) {
            LimitedLog.failed(
                    LOGGER, Level.WARNING, "", e, "The end of task {0} was not stored", task.id());
        }
    }

    /**
     * Returns whether a task has ended with an outcome, after the store failed while it stored
     * that.
     */
    private boolean hasEnded(StoredTask task, TaskOutcome outcome) {
        TaskState state = bounded(outcome).state();
        return store.find(task.owner(), task.id())
                .filter(now -> now.state() == state && now.run() == task.run())
                .isPresent();
    }

    /**
     * Parks the task of a run on an outside job, or ends it if another task is parked on that job.
     */
    void park(Run run, Run.Parking parking) {
        run.flush();
        try {
            boolean parked =
                    persistence.uninterrupted(
                            run.task().expiresAt(),
                            () -> store.park(run.key(), parking.job(), parking.pollEvery()));
            if (parked) {
                audit.event(TaskEvent.Kind.PARKED, run.task());
            }
        } catch (IllegalArgumentException e) {
            conclude(run, error("Another task waits for the job " + parking.job()));
        } catch (TaskStoreException e) {
            LimitedLog.failed(
                    LOGGER, Level.WARNING, "", e, "Task {0} could not be parked", run.key().id());
        }
    }

    /** Cancels a task as soon as the store can be reached. */
    void cancelLater(StoredTask task, String why) {
        try {
            persistence.uninterrupted(
                    task.expiresAt(), () -> cancel(task.owner(), task.id(), task.name(), why));
        } catch (TaskStoreException e) {
            LimitedLog.failed(
                    LOGGER, Level.WARNING, "", e, "Task {0} was not cancelled", task.id());
        }
    }

    /** Cancels a task that has not ended, and stops its activities here. */
    boolean cancel(Owner owner, TaskId id, @Nullable String name, String why) {
        if (!store.cancel(owner, id, why)) {
            return false;
        }
        audit.event(TaskEvent.Kind.CANCELLED, owner, id, name, null);
        locals.find(id).ifPresent(local -> local.end(TaskState.CANCELLED));
        changes.changed(id);
        return true;
    }

    private void publishEnd(StoredTask task, TaskState state, @Nullable TaskOutcome kept) {
        audit.event(
                TaskEvent.Kind.FINISHED, task.owner(), task.id(), task.name(), state.toString());
        Optional<LocalTask> local = locals.find(task.id());
        local.ifPresent(known -> known.deliveries().forEach(QuestionDelivery::withdraw));
        local.ifPresent(known -> known.waiters().forEach(waiter -> waiter.end(kept)));
        changes.changed(task.id());
        local.ifPresent(changes::sendEnd);
    }

    private TaskOutcome bounded(TaskOutcome outcome) {
        long size = size(outcome);
        if (size <= maxResultBytes) {
            return outcome;
        }
        String message = tooLarge("The result has", size, maxResultBytes);
        return outcome instanceof TaskOutcome.Result ? work.tooLarge(message) : error(message);
    }

    /** Returns the message that refuses a text that is too large. */
    static String tooLarge(String what, long bytes, int most) {
        return what + " " + bytes + " bytes, more than the " + most + " that are kept";
    }

    /** Returns the number of bytes that an outcome or an answer has in the store. */
    static long size(TaskOutcome outcome) {
        return switch (outcome) {
            case TaskOutcome.Result result -> result.value().size();
            case TaskOutcome.Error error -> size(error.error());
        };
    }

    private static long size(JsonRpcError error) {
        return error.message().length()
                + (error.data() == null ? 0L : error.data().toJson().length());
    }

    private @Nullable String statusMessage(TaskOutcome outcome) {
        return switch (outcome) {
            case TaskOutcome.Result result ->
                    result.failure() ? cut(work.statusMessage(result)) : null;
            case TaskOutcome.Error error -> cut(error.error().message());
        };
    }

    /**
     * Returns a status message cut to its greatest length, since it comes with each answer about
     * the task.
     */
    static String cut(String text) {
        if (text.length() <= MAX_STATUS_MESSAGE) {
            return text;
        }
        int end = MAX_STATUS_MESSAGE - 1;
        if (Character.isHighSurrogate(text.charAt(end - 1))) {
            end--; // not in the middle of a character
        }
        return text.substring(0, end) + "…";
    }
}
