package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.Progress;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * Tells the requestor what changes while a task runs here, on the best way that is open: the stream
 * of somebody who waits for it, else the session that it came from. Where there is none it is not
 * told; whoever asks will see it.
 */
final class Telling {
    private static final System.Logger LOGGER = System.getLogger(Telling.class.getName());

    private final TaskStore store;

    Telling(TaskStore store) {
        this.store = store;
    }

    /** The best way; null where there is none. */
    static @Nullable TaskCarrier way(LocalTask local) {
        return local.newestWaiter().map(Waiter::stream).or(local::openSession).orElse(null);
    }

    /** State or status message have changed. */
    void changed(LocalTask local) {
        Optional<Waiter> waiter = local.newestWaiter();
        if (waiter.isPresent()) {
            now(local).ifPresent(waiter.get()::tell);
        } else {
            ended(local);
        }
    }

    /** The task has ended; those who wait for that get its result instead. */
    void ended(LocalTask local) {
        local.openSession().ifPresent(session -> now(local).ifPresent(session::changed));
    }

    void progressed(LocalTask local, StoredTask task, Progress report) {
        Optional<Waiter> waiter = local.newestWaiter();
        if (waiter.isPresent()) {
            waiter.get().tell(task, report);
        } else {
            local.openSession().ifPresent(session -> session.progressed(task, report));
        }
    }

    private Optional<StoredTask> now(LocalTask local) {
        try {
            return store.find(local.owner(), local.id());
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "A change of task {0} was not told", local.id());
            return Optional.empty();
        }
    }
}
