package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** Ends tasks with what they gave, and tells everybody. */
final class Ending {
    private final TaskStore store;
    private final int maxResultBytes;
    private final TaskWork work;
    private final LocalTasks locals;
    private final ChangePublisher news;
    private final Telling telling;
    private final Audit audit;

    Ending(
            TaskStore store,
            int maxResultBytes,
            TaskWork work,
            LocalTasks locals,
            ChangePublisher news,
            Telling telling,
            Audit audit) {
        this.store = store;
        this.maxResultBytes = maxResultBytes;
        this.work = work;
        this.locals = locals;
        this.news = news;
        this.telling = telling;
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
        tell(task, kept.state(), kept);
        return true;
    }

    /** Cancels a task that has not ended, and stops all that it has here. */
    boolean cancel(Owner owner, TaskId id, @Nullable String name, String why) {
        if (!store.cancel(owner, id, why)) {
            return false;
        }
        audit.event(TaskEvent.Kind.CANCELLED, owner, id, name, null);
        locals.find(id).ifPresent(local -> local.end(TaskState.CANCELLED));
        news.changed(id);
        return true;
    }

    /** Whether a task has ended so; for when the store failed while it was told. */
    boolean hasEnded(StoredTask task, TaskOutcome outcome) {
        TaskState state = bounded(outcome).state();
        return store.find(task.owner(), task.id())
                .filter(now -> now.state() == state && now.run() == task.run())
                .isPresent();
    }

    /** Tells everybody that a task has ended, who then look for its outcome. */
    void tell(StoredTask task, TaskState state) {
        tell(task, state, null);
    }

    private void tell(StoredTask task, TaskState state, @Nullable TaskOutcome kept) {
        audit.event(
                TaskEvent.Kind.FINISHED, task.owner(), task.id(), task.name(), state.toString());
        Optional<LocalTask> local = locals.find(task.id());
        local.ifPresent(known -> known.deliveries().forEach(Delivery::withdraw));
        local.ifPresent(known -> known.waiters().forEach(waiter -> waiter.end(kept)));
        news.changed(task.id());
        local.ifPresent(telling::ended);
    }

    private TaskOutcome bounded(TaskOutcome outcome) {
        long size = size(outcome);
        if (size <= maxResultBytes) {
            return outcome;
        }
        return new TaskOutcome.Error(
                new JsonRpcError(
                        ErrorCode.INTERNAL_ERROR,
                        "The result has "
                                + size
                                + " bytes, more than the "
                                + maxResultBytes
                                + " that are kept"));
    }

    /** How many bytes are stored of an outcome or an answer. */
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
                    result.failure() ? StatusMessage.cut(work.statusMessage(result)) : null;
            case TaskOutcome.Error error -> StatusMessage.cut(error.error().message());
        };
    }
}
