package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import java.lang.System.Logger.Level;
import java.time.Duration;

/** Does something again and again, on a thread of its own, with a pause after each time. */
final class Upkeep {
    private static final System.Logger LOGGER = System.getLogger(Upkeep.class.getName());

    private final Timers timers;
    private volatile boolean closed;

    Upkeep(Timers timers) {
        this.timers = timers;
    }

    /** Sweeps a store that does not do so by itself. */
    void sweep(TaskStore store) {
        store.sweepInterval().ifPresent(every -> repeat(every, store::sweep));
    }

    void repeat(Duration every, Runnable action) {
        if (!closed) {
            timers.schedule(
                    every,
                    () ->
                            Thread.ofVirtual()
                                    .name("mcp-task-upkeep")
                                    .start(() -> run(every, action)));
        }
    }

    private void run(Duration every, Runnable action) {
        try {
            if (!closed) {
                action.run();
            }
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "The store was not swept", e);
        } catch (RuntimeException e) {
            LOGGER.log(Level.ERROR, "The upkeep of tasks failed", e);
        } finally {
            repeat(every, action);
        }
    }

    void close() {
        closed = true;
    }
}
