package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The store as runs call it: while it is down a run waits for it, until it is to stop or its task
 * expires. No interrupt of the handler reaches the store.
 */
final class RunStore {
    private static final System.Logger LOGGER = System.getLogger(RunStore.class.getName());

    private final TaskStore store;
    private final Persistence persistence;
    private final boolean blocks;

    RunStore(TaskStore store, Persistence persistence) {
        this.store = store;
        this.persistence = persistence;
        this.blocks = store.blocks();
    }

    /** Makes a call, unless the run is to stop. */
    <T> T call(Run run, Function<TaskStore, T> call) throws InterruptedException {
        run.checkGoesOn();
        return callAnyhow(run, call);
    }

    /** The same, waited for on few frames, since the run goes on to wait for a person. */
    <T> T callAside(Run run, Function<TaskStore, T> call) throws InterruptedException {
        if (!blocks) {
            return call(run, call);
        }
        run.checkGoesOn();
        try {
            return OffloadedCall.run(() -> call.apply(store));
        } catch (TaskStoreException e) {
            return callLater(run, () -> call.apply(store));
        }
    }

    /** The same as {@link #call}, once at least even if the run is to stop. */
    <T> T callAnyhow(Run run, Function<TaskStore, T> call) throws InterruptedException {
        try {
            return run.interrupts().shielded(() -> call.apply(store));
        } catch (TaskStoreException e) {
            return callLater(run, () -> call.apply(store));
        }
    }

    private <T> T callLater(Run run, Supplier<T> call) throws InterruptedException {
        try {
            return persistence.later(run.task().expiresAt(), () -> run.interrupts().shielded(call));
        } catch (TaskStoreException e) {
            run.interrupts().stop(Reasons.EXPIRED);
            throw e;
        }
    }

    /** Stores a report, which may be lost; false if it was not stored. */
    boolean report(Run run, @Nullable String message, @Nullable Double progress) {
        try {
            return store.update(run.key(), message, progress);
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "A report of task {0} was not stored", run.key().id());
            return false;
        }
    }
}
