package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.engine.ShieldedThread;
import dev.fairlead.tasks.TaskState;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Stops one thread: {@link #stop} interrupts it, but never within {@link #shielded}. The monitor
 * guards the state and is never held while anything else runs.
 */
final class Interrupts {
    // reasons why a handler is to stop, for people
    static final String EXPIRED = "the task has expired";
    static final String CANCELLED = "the task was cancelled";
    static final String ENDED = "the task has ended";
    static final String TAKEN_OVER = "another node runs the task";
    static final String CLOSING = "tasks are closing";
    static final String FENCED = "this node was declared dead";
    static final String OVERDUE = "it takes too long";

    private final ShieldedThread thread = new ShieldedThread();
    private volatile boolean over;
    private volatile @Nullable String reason;

    /** Returns the reason to stop a handler whose task has ended in this state. */
    static String reason(TaskState ended) {
        return switch (ended) {
            case EXPIRED -> EXPIRED;
            case CANCELLED -> CANCELLED;
            case RESULT, FAILURE, ERROR, WORKING, INPUT_REQUIRED -> ENDED;
        };
    }

    /** Registers the current thread; false if it was requested to stop before. */
    synchronized boolean begin() {
        if (reason != null || over) {
            return false;
        }
        thread.begin();
        return true;
    }

    /**
     * Ends the work of the thread: nothing interrupts it any more, and it can no longer be stopped.
     */
    synchronized void end() {
        if (thread.isCurrent()) {
            Thread.interrupted();
        }
        thread.end();
        over = true;
    }

    /**
     * Requests the thread to stop. Only the first call counts, and none once the thread is done.
     *
     * @return whether this call did it
     */
    synchronized boolean stop(String why) {
        if (over || reason != null) {
            return false;
        }
        reason = why;
        thread.interrupt();
        return true;
    }

    /** Returns the reason to stop; empty while the thread may continue. */
    Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /** Returns whether the thread is done. */
    boolean isOver() {
        return over;
    }

    boolean isStopped() {
        return reason != null;
    }

    /** Runs an action that must not be interrupted; see {@link ShieldedThread#shielded}. */
    <T extends @Nullable Object> T shielded(Supplier<T> action) {
        return thread.shielded(action);
    }

    /** Runs an action of users, {@linkplain #shielded shielded} from interrupts. */
    <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception {
        return thread.uninterrupted(action);
    }
}
