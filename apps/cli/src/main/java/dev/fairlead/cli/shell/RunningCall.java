package dev.fairlead.cli.shell;

import dev.fairlead.cli.tasks.CtrlC;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * Handles Ctrl-C while a call runs: the first one cancels it, the second one leaves at once. The
 * signal comes on a thread of its own.
 */
final class RunningCall implements CtrlC {
    private final Consumer<String> say;
    private final Runnable leave;
    private final Object lock = new Object();
    private @Nullable Thread working; // guarded by lock
    private boolean cancelling; // guarded by lock
    private boolean asking; // guarded by lock

    /**
     * @param say prints a message for the user
     * @param leave ends the program
     */
    RunningCall(Consumer<String> say, Runnable leave) {
        this.say = say;
        this.leave = leave;
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

    @Override
    public <R> R asking(Work<R> work) throws InterruptedException {
        synchronized (lock) {
            asking = true;
        }
        try {
            return work.run();
        } finally {
            synchronized (lock) {
                asking = false;
                Thread.interrupted(); // a signal that came too late
            }
        }
    }

    @Override
    public void resume() {
        synchronized (lock) {
            cancelling = false;
        }
    }

    @Override
    public void leave() {
        leave.run();
    }

    boolean isRunning() {
        synchronized (lock) {
            return working != null;
        }
    }

    /** Handles the signal. */
    void cancel() {
        boolean again;
        boolean quiet;
        synchronized (lock) {
            if (working == null) {
                return;
            }
            again = cancelling;
            cancelling = true;
            quiet = asking;
        }
        if (again) {
            leave.run();
            return;
        }
        if (!quiet) {
            say.accept("Cancelling…");
        }
        synchronized (lock) {
            if (working != null) {
                working.interrupt();
            }
        }
    }
}
