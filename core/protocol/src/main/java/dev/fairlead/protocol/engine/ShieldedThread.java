package dev.fairlead.protocol.engine;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Interrupts the thread that runs a handler, but never within {@link #uninterrupted} and {@link
 * #shielded}, so that no interrupt reaches a store or a connection. The monitor guards the state
 * and is never held while anything else runs. Thread-safe.
 */
public final class ShieldedThread {
    private @Nullable Thread thread; // null before the handler begins, and after its end
    private int shields;
    private boolean interruptDue;

    /** Makes the current thread the one that runs the handler. */
    public synchronized void begin() {
        thread = Thread.currentThread();
        if (interruptDue) {
            interruptDue = false;
            thread.interrupt();
        }
    }

    /** Ends the run: nothing interrupts the thread any more. */
    public synchronized void end() {
        thread = null;
    }

    /** Returns whether the current thread runs the handler. */
    public boolean isCurrent() {
        return is(Thread.currentThread());
    }

    /** Returns whether a thread runs the handler. */
    public synchronized boolean is(Thread other) {
        return thread == other;
    }

    /** Interrupts the thread: now, when it begins, or when a shielded action has ended. */
    public synchronized void interrupt() {
        if (thread == null || shields > 0) {
            interruptDue = true;
        } else {
            thread.interrupt();
        }
    }

    /**
     * Runs an action that must not be interrupted; an interrupt that comes meanwhile, or was there
     * before, is set again afterwards. On other threads it only runs the action.
     */
    public <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception {
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

    /** Runs an action without checked exceptions, see {@link #uninterrupted}. */
    public <T extends @Nullable Object> T shielded(Supplier<T> action) {
        try {
            return uninterrupted(action::get);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("an action throws no checked exception", e);
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
