package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.TaskId;
import dev.fairlead.tasks.TaskSignals;

/** What a node does when it hears that a task has changed. */
final class SignalListener implements TaskSignals.Listener {
    private final LocalTasks locals;
    private final Deliveries deliveries;
    private final boolean reliable;

    SignalListener(LocalTasks locals, Deliveries deliveries, boolean reliable) {
        this.locals = locals;
        this.deliveries = deliveries;
        this.reliable = reliable;
    }

    @Override
    public void changed(TaskId id) {
        locals.find(id).ifPresent(this::contested);
    }

    @Override
    public void anyChanged() {
        locals.all().forEach(this::changed);
    }

    /** A signal of another node may be that of a caller who waits there for a question. */
    private void contested(LocalTask local) {
        if (!reliable) {
            local.deliveries().forEach(Delivery::contest);
        }
        changed(local);
    }

    /** Where signals are reliable, what other nodes might have done was done here. */
    void changed(LocalTask local) {
        local.wake();
        boolean runElsewhere = !reliable && local.run().filter(Run::isAtWork).isPresent();
        if (runElsewhere || !local.deliveries().isEmpty()) {
            deliveries.match(local);
        }
    }
}
