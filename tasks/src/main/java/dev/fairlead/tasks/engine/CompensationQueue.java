package dev.fairlead.tasks.engine;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Ends tasks that no requestor was told of, as soon as the store can be reached: creations that
 * failed, since a store that fails may have stored nevertheless, and what was given up before it
 * began. One after the other, on one thread, so that an outage costs no more. Its monitor guards
 * everything.
 */
final class CompensationQueue {
    private static final System.Logger LOGGER = System.getLogger(CompensationQueue.class.getName());

    private final int most;
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    /**
     * @param most while more are to be undone no further task is to be created
     */
    CompensationQueue(int most) {
        this.most = most;
    }

    synchronized boolean isFull() {
        return waiting.size() > most;
    }

    synchronized void add(Runnable undo) {
        waiting.add(undo);
        if (waiting.size() == 1) {
            Thread.ofVirtual().name("mcp-task-undone").start(this::undoAll);
        }
    }

    private void undoAll() {
        for (Runnable undo = first(); undo != null; undo = next()) {
            try {
                undo.run();
            } catch (Throwable e) { // whatever it is, the next must be undone
                LOGGER.log(Level.ERROR, "A task could not be undone", e);
            }
        }
    }

    private synchronized @Nullable Runnable first() {
        return waiting.peek();
    }

    private synchronized @Nullable Runnable next() {
        waiting.remove(); // only now is it done
        return first();
    }
}
