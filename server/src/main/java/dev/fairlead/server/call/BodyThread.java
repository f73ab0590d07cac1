package dev.fairlead.server.call;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.Callable;

/**
 * The thread that runs a body apart from the threads of its requests. An interrupt never hits it
 * within {@link #uninterrupted}, and so no connection. The monitor guards the state and is never
 * held while anything else runs.
 */
final class BodyThread {
    private @Nullable Thread thread; // null before the body begins, and after its end
    private int shields;
    private boolean interruptDue;

    /** The current thread begins to run the body. */
    synchronized void begin() {
        thread = Thread.currentThread();
        if (interruptDue) {
            interruptDue = false;
            thread.interrupt();
        }
    }

    /** The body has ended: nothing interrupts the thread any more. */
    synchronized void end() {
        thread = null;
    }

    boolean isCurrent() {
        return is(Thread.currentThread());
    }

    synchronized boolean is(Thread other) {
        return thread == other;
    }

    /** Interrupts the body: now, when it begins, or when a shielded action has ended. */
    synchronized void interrupt() {
        if (thread == null || shields > 0) {
            interruptDue = true;
        } else {
            thread.interrupt();
        }
    }

    /**
     * Runs an action that must not be interrupted; an interrupt that comes meanwhile, or was there
     * before, is set again afterwards. On other threads it just runs the action.
     */
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

    /** As {@link #uninterrupted}, for an action without checked exceptions. */
    void shielded(Runnable action) {
        if (!enter()) {
            action.run();
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            action.run();
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
