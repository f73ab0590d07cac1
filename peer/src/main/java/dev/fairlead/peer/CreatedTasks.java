package dev.fairlead.peer;

import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.engine.TaskRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The tasks that one request created: several if an interceptor proceeded more than once. Only the
 * task that the requestor was answered with begins, once the answer was sent; all others are
 * abandoned, so that no work runs that no requestor knows of, and none counts against the limit of
 * an owner for good. Confined to the thread of the request.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks ROOM-013,
 *     ROOM-030
 */
public final class CreatedTasks {
    private final IncomingCall call;
    private final List<StoredTask> created = new ArrayList<>(0);
    private @Nullable TaskId answered; // null: the request is not answered with a task

    /** None yet. */
    public CreatedTasks(IncomingCall call) {
        this.call = call;
    }

    /**
     * Stores a task of the caller, which does not run yet, and gives the answer that names it.
     * Fails as {@link TaskEngine#create} does.
     *
     * @param immediateResponse what the model may be told meanwhile; null for nothing
     */
    public CreateTaskResult create(TaskRequest task, @Nullable String immediateResponse) {
        SessionTasks tasks = call.tasks();
        StoredTask stored = tasks.engine().create(call.owner(), task);
        if (created.isEmpty()) {
            call.request().afterAnswer(() -> begin(tasks));
        }
        created.add(stored);
        return tasks.created(stored, immediateResponse);
    }

    /**
     * The request is answered with a task, perhaps one that was not created here. To be called when
     * nothing can fail any more but the sending.
     */
    public void answered(CreateTaskResult answer) {
        answered = answer.task().id();
    }

    private void begin(SessionTasks tasks) {
        TaskId begun = isWanted(call.request()) ? answered : null;
        for (StoredTask task : created) {
            if (task.id().equals(begun)) {
                tasks.engine().begin(task, tasks.requestor());
            } else {
                tasks.engine().abandon(task);
            }
        }
    }

    /** The requestor did not cancel the request, and was not answered with an error meanwhile. */
    private static boolean isWanted(IncomingRequest request) {
        return !request.isAnsweredEarly()
                && request.cancellation()
                        .filter(why -> why.cause() == Cancellation.Cause.PEER)
                        .isEmpty();
    }
}
