package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskState;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * The interrupts of one thread: {@link #stop} interrupts it, but never within {@link #shielded}, so
 * that no interrupt hits a store or a connection. The monitor guards the state and is never held
 * while anything else runs.
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

    private @Nullable Thread thread;
    private int shields;
    private boolean interruptDue;
    private volatile boolean over;
    private volatile @Nullable String reason;

    /** Returns why a handler is to stop whose task has ended in this state. */
    static String reason(TaskState ended) {
        return switch (ended) {
            case EXPIRED -> EXPIRED;
            case CANCELLED -> CANCELLED;
            case RESULT, FAILURE, ERROR, WORKING, INPUT_REQUIRED -> ENDED;
        };
    }

    /** The current thread begins; false if it was requested to stop before. */
    synchronized boolean begin() {
        if (reason != null || over) {
            return false;
        }
        thread = Thread.currentThread();
        return true;
    }

    /** The thread is done: nothing interrupts it any more, and it can no longer be stopped. */
    synchronized void end() {
        if (thread == Thread.currentThread()) {
            Thread.interrupted();
        }
        thread = null;
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
        if (shields > 0) {
            interruptDue = true;
        } else if (thread != null) {
            thread.interrupt();
        }
        return true;
    }

    /** Why the thread is to stop; empty while it may go on. */
    Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /** Whether the thread is done. */
    boolean isOver() {
        return over;
    }

    boolean isStopped() {
        return reason != null;
    }

    /**
     * Runs an action that must not be interrupted; an interrupt that comes meanwhile, or was there
     * before, is set again afterwards. On other threads it just runs the action.
     */
    <T extends @Nullable Object> T shielded(Supplier<T> action) {
        try {
            return uninterrupted(action::get);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("an action throws no checked exception", e);
        }
    }

    /** As {@link #shielded}, for an action of users. */
    <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception {
        if (!enter()) {
            return action.call();
        }
        boolean interrupted = Thread.interrupted();
        try {
            return action.call();
        } finally {
            exit(interrupted);
        }
    }

    private synchronized boolean enter() {
        if (Thread.currentThread() != thread) {
            return false;
        }
        shields++;
        return true;
    }

    private synchronized void exit(boolean interruptedBefore) {
        shields--;
        interruptDue |= interruptedBefore;
        if (shields == 0 && interruptDue) {
            interruptDue = false;
            Thread.currentThread().interrupt();
        }
    }
}
