package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * Publishes changes of a task: to all callers that wait for it, here and on other nodes, and to its
 * requestor, over the best connection that is open on this node. A requestor without one sees the
 * change when it next asks.
 */
final class ChangePublisher {
    private static final System.Logger LOGGER = System.getLogger(ChangePublisher.class.getName());

    private final TaskStore store;
    private final TaskSignals signals;
    private final LocalTasks locals;

    ChangePublisher(TaskStore store, TaskSignals signals, LocalTasks locals) {
        this.store = store;
        this.signals = signals;
        this.locals = locals;
    }

    /** Publishes a change of a task that is already in the store. */
    void changed(TaskId id) {
        if (!signals.isReliable()) {
            locals.find(id).ifPresent(LocalTask::wake);
        }
        signals.changed(id);
    }

    // ---- to the requestor

    /** Sends the state and the status message to the requestor. */
    void sendState(LocalTask local) {
        Optional<Waiter> waiter = local.newestWaiter();
        if (waiter.isPresent()) {
            now(local).ifPresent(waiter.get()::sendState);
        } else {
            sendEnd(local);
        }
    }

    /** Sends the end of the task; callers that wait for it get its result instead. */
    void sendEnd(LocalTask local) {
        local.openSession().ifPresent(session -> now(local).ifPresent(session::changed));
    }

    void sendProgress(LocalTask local, StoredTask task, Progress report) {
        Optional<Waiter> waiter = local.newestWaiter();
        if (waiter.isPresent()) {
            waiter.get().sendProgress(task, report);
        } else {
            local.openSession().ifPresent(session -> session.progressed(task, report));
        }
    }

    private Optional<StoredTask> now(LocalTask local) {
        try {
            return store.find(local.owner(), local.id());
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "A change of task {0} was not sent", local.id());
            return Optional.empty();
        }
    }
}
