package dev.fairlead.cli.shell;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * What Ctrl-C does while a call runs: the first one cancels it, the second one leaves at once. The
 * signal comes on a thread of its own.
 */
final class RunningCall {
    private final Consumer<String> say;
    private final Runnable leave;
    private final Object lock = new Object();
    private @Nullable Thread working; // guarded by lock
    private boolean cancelling; // guarded by lock

    /**
     * @param say tells the user
     * @param leave ends the program
     */
    RunningCall(Consumer<String> say, Runnable leave) {
        this.say = say;
        this.leave = leave;
    }

    /** Work that can be cancelled. */
    @FunctionalInterface
    interface Work<R> {
        R run() throws InterruptedException;
    }

    /** Runs work on this thread, which is interrupted when the signal comes meanwhile. */
    <R> R during(Work<R> work) throws InterruptedException {
        synchronized (lock) {
            working = Thread.currentThread();
            cancelling = false;
        }
        try {
            return work.run();
        } finally {
            synchronized (lock) {
                working = null;
                Thread.interrupted(); // a signal that came too late
            }
        }
    }

    boolean isRunning() {
        synchronized (lock) {
            return working != null;
        }
    }

    /** What the signal does. */
    void cancel() {
        boolean again;
        synchronized (lock) {
            if (working == null) {
                return;
            }
            again = cancelling;
            cancelling = true;
        }
        if (again) {
            leave.run();
            return;
        }
        say.accept("Cancelling…");
        synchronized (lock) {
            if (working != null) {
                working.interrupt();
            }
        }
    }
}
