package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.TaskId;
import dev.fairlead.tasks.TaskSignals;

/** Tells everybody who waits for a change of a task, here and on other nodes. */
final class ChangePublisher {
    private final TaskSignals signals;
    private final LocalTasks locals;

    ChangePublisher(TaskSignals signals, LocalTasks locals) {
        this.signals = signals;
        this.locals = locals;
    }

    /** Something about a task has changed, and the store has it. */
    void changed(TaskId id) {
        if (!signals.isReliable()) {
            locals.find(id).ifPresent(ChangePublisher::wake);
        }
        signals.changed(id);
    }

    /** Has whoever waits for a task here look at it again. */
    static void wake(LocalTask local) {
        local.waiters().forEach(Waiter::wake);
        local.run().ifPresent(Run::wake);
    }
}
