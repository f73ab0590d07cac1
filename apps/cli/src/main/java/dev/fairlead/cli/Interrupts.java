package dev.fairlead.cli;

import dev.fairlead.cli.ask.Person;
import dev.fairlead.cli.tasks.CtrlC;
import dev.fairlead.jsonrpc.RequestTimeoutException;

import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Handles Ctrl-C: the first one cancels the running work, the second one leaves at once, and so
 * does the first one before any work has begun. A user who waits for a task is asked whether the
 * first one cancels it.
 *
 * <p>The signal comes on a thread of the JVM's. The lock ensures that the interrupt reaches the
 * work, and no later step.
 */
final class Interrupts implements CtrlC {
    private static volatile boolean leaving;

    /** The limit of a single request ends first, since its message names the request. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private static final Duration TICK = Duration.ofMillis(50);

    private final Console console;
    private final Object lock = new Object();
    private @Nullable Thread working; // guarded by lock
    private boolean begun; // guarded by lock
    private boolean cancelled; // guarded by lock
    private boolean cancelling; // guarded by lock; until the work is interrupted
    private boolean asking; // guarded by lock
    private volatile @Nullable Person person;

    Interrupts(Console console) {
        this.console = console;
    }

    /** A question to this person ends when the signal comes. */
    void meet(Person asked) {
        person = asked;
    }

    /** Takes the signal from the JVM, which would end at once. */
    void listen() {
        Signals.register("INT", this::signal);
    }

    /**
     * Runs work on this thread, which is interrupted when the signal comes meanwhile or has come.
     */
    <R> R during(Work<R> work) throws InterruptedException {
        begin();
        try {
            return work.run();
        } finally {
            end();
        }
    }

    /**
     * The same for at most so long. The time stands still while a person is asked something.
     *
     * @throws RequestTimeoutException if the time is over
     */
    <R> R during(Duration limit, Work<R> work) throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Thread worker = Thread.currentThread();
        Thread clock =
                Thread.ofVirtual()
                        .name("fairlead-timeout")
                        .start(() -> interruptAfter(limit, worker, over));
        try {
            return during(work);
        } catch (InterruptedException | RuntimeException e) {
            if (over.get() && !isCancelled()) {
                throw new RequestTimeoutException(
                        "not done within " + limit.toMillis() + " ms (--timeout)");
            }
            throw e;
        } finally {
            clock.interrupt();
        }
    }

    private void interruptAfter(Duration limit, Thread worker, AtomicBoolean over) {
        try {
            long left = limit.plus(GRACE).toNanos();
            while (left > 0) {
                long before = System.nanoTime();
                Thread.sleep(TICK);
                left -= isAsking() ? 0 : System.nanoTime() - before;
            }
            synchronized (lock) {
                if (worker.equals(working)) {
                    over.set(true);
                    worker.interrupt();
                }
            }
        } catch (InterruptedException e) {
            // the work has ended
        }
    }

    private boolean isAsking() {
        Person asked = person;
        return asked != null && asked.isAsking();
    }

    private void begin() throws InterruptedException {
        synchronized (lock) {
            if (cancelled) {
                throw new InterruptedException("Cancelled");
            }
            working = Thread.currentThread();
            begun = true;
        }
    }

    private void end() {
        synchronized (lock) {
            working = null;
            Thread.interrupted(); // later steps, such as closing, must not be interrupted
        }
    }

    /** A signal that has come just before ends the work too, by the interrupt that it brings. */
    @Override
    public <R> R asking(Work<R> work) throws InterruptedException {
        setAsking(true);
        try {
            return work.run();
        } finally {
            setAsking(false);
        }
    }

    private void setAsking(boolean now) {
        synchronized (lock) {
            asking = now;
            if (!now) {
                Thread.interrupted(); // a signal that came too late
            }
        }
    }

    @Override
    public void resume() {
        synchronized (lock) {
            cancelled = false;
        }
    }

    @Override
    public void leave() {
        Person asked = person;
        if (asked != null) {
            asked.giveBack(); // the terminal must not stay as a prompt has it
        }
        leaveAtOnce();
    }

    /** Returns whether the signal has come. */
    boolean isCancelled() {
        synchronized (lock) {
            return cancelled;
        }
    }

    private boolean hasBegun() {
        synchronized (lock) {
            return begun;
        }
    }

    /** Ends this process with the programs that it started, which need not end with their input. */
    static void leaveAtOnce() {
        leaving = true;
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(ExitStatus.INTERRUPTED);
    }

    /** Does not return once this process is left at once: nothing is to be said any more. */
    static void stopIfLeaving() {
        while (leaving) {
            LockSupport.park();
        }
    }

    /** Handles the signal. */
    void signal() {
        if (isCancelled()) {
            leave();
        }
        if (!hasBegun()) { // such as while standard input is read
            console.say("Cancelled");
            leaveAtOnce();
        }
        Person asked = person;
        if (asked != null) {
            asked.leave();
        }
        cancel();
    }

    /** Cancels the running work, unless that was done already. Returns once it is interrupted. */
    void cancel() {
        boolean quiet;
        synchronized (lock) {
            if (cancelled) {
                awaitInterrupt();
                return;
            }
            cancelled = true;
            cancelling = true;
            quiet = asking;
        }
        try {
            if (!quiet) {
                console.status().clear();
                console.say("Cancelling…");
            }
        } finally { // also if the message could not be shown
            interruptWork();
        }
    }

    private void interruptWork() {
        synchronized (lock) {
            if (working != null) {
                working.interrupt();
            }
            cancelling = false;
            lock.notifyAll();
        }
    }

    /** Another thread cancels: the next step of this one must not reach work that continues. */
    private void awaitInterrupt() {
        try {
            while (cancelling) {
                lock.wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
