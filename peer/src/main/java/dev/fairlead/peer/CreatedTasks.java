package dev.fairlead.peer;

import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.engine.TaskCarrier;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.engine.TaskRequest;
import dev.fairlead.tasks.receiver.TaskReceiver;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

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
    private final TaskReceiver receiver;
    private final IncomingRequest request;
    private final Supplier<@Nullable TaskCarrier> requestor;
    private final List<StoredTask> created = new ArrayList<>(1);
    private @Nullable TaskId answered; // null: the request is not answered with a task

    CreatedTasks(
            TaskReceiver receiver,
            IncomingRequest request,
            Supplier<@Nullable TaskCarrier> requestor) {
        this.receiver = receiver;
        this.request = request;
        this.requestor = requestor;
        request.afterAnswer(this::begin);
    }

    /**
     * Stores a task, which does not run yet, and gives the answer that names it. Fails as {@link
     * TaskEngine#create} does.
     *
     * @param immediateResponse what the model may be told meanwhile; null for nothing
     */
    public CreateTaskResult create(
            Owner owner, TaskRequest task, @Nullable String immediateResponse) {
        StoredTask stored = receiver.engine().create(owner, task);
        created.add(stored);
        return receiver.created(stored, immediateResponse);
    }

    /**
     * The request is answered with a task, perhaps one that was not created here. To be called when
     * nothing can fail any more but the sending.
     */
    public void answered(CreateTaskResult answer) {
        answered = answer.task().id();
    }

    private void begin() {
        TaskEngine engine = receiver.engine();
        TaskId begun = isWanted() ? answered : null;
        for (StoredTask task : created) {
            if (task.id().equals(begun)) {
                engine.begin(task, requestor.get());
            } else {
                engine.abandon(task);
            }
        }
    }

    /** The requestor did not cancel the request, and was not answered with an error meanwhile. */
    private boolean isWanted() {
        return !request.isAnsweredEarly()
                && request.cancellation()
                        .filter(why -> why.cause() == Cancellation.Cause.PEER)
                        .isEmpty();
    }
}
