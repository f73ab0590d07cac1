package dev.fairlead.tasks.receiver;

import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.engine.TaskCarrier;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.engine.TaskRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The tasks that one request created: several if an interceptor proceeded more than once. Only the
 * task that the requestor was answered with begins; all others are abandoned, so that no work runs
 * that no requestor knows of, and none counts against the limit of an owner for good. Confined to
 * the thread of the request.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks ROOM-013,
 *     ROOM-030
 */
public final class CreatedTasks {
    private final TaskEngine engine;
    private final List<StoredTask> created = new ArrayList<>(1);
    private @Nullable TaskId answered;

    public CreatedTasks(TaskEngine engine) {
        this.engine = engine;
    }

    /** Stores a task, which does not run yet. Fails as {@link TaskEngine#create} does. */
    public StoredTask create(Owner owner, TaskRequest request) {
        StoredTask task = engine.create(owner, request);
        created.add(task);
        return task;
    }

    /** The request is answered with a task, perhaps one that was not created here. */
    public void answered(CreateTaskResult answer) {
        answered = answer.task().id();
    }

    /**
     * Begins the task that the request was answered with, and abandons all others.
     *
     * @param told whether the answer was sent, and the requestor had not cancelled the request
     * @param origin the way to the requestor; null for none
     */
    public void begin(boolean told, @Nullable TaskCarrier origin) {
        for (StoredTask task : created) {
            if (told && task.id().equals(answered)) {
                engine.begin(task, origin);
            } else {
                engine.abandon(task);
            }
        }
    }
}
