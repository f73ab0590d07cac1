package dev.fairlead.peer;

import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.engine.TaskRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The tasks that one request created: several if an interceptor proceeded more than once. Only the
 * task in the response begins, after the response was sent. All others are abandoned, so that no
 * work runs for a task that no requestor has the id of, and none counts against the limit of its
 * owner. Confined to the thread of the request.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks Tasks
 */
public final class CreatedTasks {
    private final IncomingCall call;
    private final List<StoredTask> created = new ArrayList<>(0);
    private @Nullable TaskId answered; // null: the request is not answered with a task

    /** Creates an empty set of tasks. */
    public CreatedTasks(IncomingCall call) {
        this.call = call;
    }

    /**
     * Stores a task of the caller, which does not run yet, and returns the response that names it.
     * Fails as {@link TaskEngine#create} does.
     *
     * @param immediateResponse a text for the model while the task runs; null for none
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
     * Records that the response names a task, which may be one that was not created here. Called
     * when only sending the response can still fail.
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

    /** Returns whether the response is sent, and the requestor has not cancelled the request. */
    private static boolean isWanted(IncomingRequest request) {
        return !request.isAnsweredEarly()
                && request.cancellation()
                        .filter(why -> why.cause() == Cancellation.Cause.PEER)
                        .isEmpty();
    }
}
