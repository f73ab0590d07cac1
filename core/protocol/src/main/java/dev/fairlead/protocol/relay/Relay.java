package dev.fairlead.protocol.relay;

import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets the thread that reads requests run short handlers itself, and replaces it when a handler
 * takes longer than expected.
 *
 * <p>One thread at a time is the reader. While it runs a handler in {@link #run}, a {@link
 * Watchdog} compares a word that changes with each handler. If the word stands still for a tick,
 * the watchdog starts a fresh thread that continues to read, and the former reader finishes its
 * handler alone. One compare-and-set on the word decides whether the handler ended first or the
 * watchdog replaced its thread, so there is never more than one reader.
 *
 * <p>The task that is given to the constructor reads until the input ends or {@link #isReader}
 * returns false, which it checks after everything that may have run a handler. State of the reading
 * needs no lock: writes of one reader before it ran a handler are visible to the next one.
 */
public final class Relay {
    private static final System.Logger LOGGER = System.getLogger(Relay.class.getName());

    /**
     * The lowest bit of the word, which is set while the reader runs a handler. The others count
     * handlers.
     */
    private static final long BUSY = 1;

    private final String name;
    private final ThreadFactory threads;
    private final Runnable reading;
    private final Watchdog watchdog;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final AtomicLong word = new AtomicLong();
    private volatile @Nullable Turn current;
    // used by the watchdog only
    private boolean unstarted; // the current thread, for want of memory
    private long seen;

    /** The time in which one thread is the reader. */
    private static final class Turn {
        private final Thread thread;
        private boolean over; // used by the thread only: it has noticed that it was replaced

        Turn(Thread thread) {
            this.thread = thread;
        }

        boolean isMine() {
            return Thread.currentThread() == thread && !over;
        }
    }

    /**
     * Creates a relay without a reader; {@link #start} starts the first. Handlers get the context
     * class loader of the current thread.
     *
     * @param name the name of the connection, for logs
     * @param threads makes readers: virtual threads only if a blocked read does not hold their
     *     carrier
     * @param reading reads until the input ends or {@link #isReader} is false; runs on each new
     *     reader
     */
    public Relay(String name, ThreadFactory threads, Watchdog watchdog, Runnable reading) {
        this.name = name;
        this.threads = threads;
        this.watchdog = watchdog;
        this.reading = reading;
    }

    /** Starts the first reader. To be called once. */
    public void start() {
        Turn first = turn();
        current = first;
        watchdog.add(this);
        first.thread.start();
    }

    private Turn turn() {
        Thread thread = threads.newThread(reading);
        thread.setContextClassLoader(loader);
        return new Turn(thread);
    }

    /** Stops the watch: a reader that runs a handler from now on is not replaced. */
    public void stop() {
        watchdog.remove(this);
    }

    /** Returns whether the current thread is the reader. */
    public boolean isReader() {
        Turn turn = current;
        return turn != null && turn.isMine();
    }

    /** Returns whether the current thread is the reader and runs no handler. */
    public boolean isReading() {
        return isReader() && !isBusy();
    }

    /**
     * Runs a handler: on the current thread if that is the reader and runs none yet, before this
     * method returns, see {@link HandlerThread#run}; otherwise on a virtual thread of its own.
     *
     * @param handlerName the name of the thread while the handler runs
     */
    public void run(String handlerName, Runnable handler) {
        if (!isReading()) {
            HandlerThread.start(handlerName, handler);
            return;
        }
        hold(() -> HandlerThread.run(handlerName, handler));
    }

    /**
     * Runs an action that may block on the reader: if it blocks, another thread becomes the reader.
     * To be called by the reader while it {@linkplain #isReading reads}; afterwards the caller must
     * check whether it {@linkplain #isReader still is the reader}.
     */
    public void hold(Runnable work) {
        Turn turn = current;
        long idle = word.get();
        if (turn == null || !turn.isMine() || (idle & BUSY) != 0) {
            throw new IllegalStateException("only the reader can be replaced, once at a time");
        }
        long busy = idle + 2 | BUSY;
        word.set(busy);
        watchdog.wake();
        try {
            work.run();
        } finally {
            turn.over = !word.compareAndSet(busy, busy & ~BUSY);
            if (turn.over) {
                watchdog.ended(turn.thread);
            }
        }
    }

    /** Returns whether a handler runs on the reader. */
    boolean isBusy() {
        return (word.get() & BUSY) != 0;
    }

    /**
     * Checks the word, and replaces the reader if it has run the same handler since the last check.
     * Called by one thread at a time.
     *
     * @return whether the word has changed since the last check
     */
    boolean look() {
        if (unstarted) {
            start(turn()); // a virtual thread whose start has failed can never be started
            return true;
        }
        long now = word.get();
        if (now != seen) {
            seen = now;
            return true;
        }
        return (now & BUSY) != 0 && replace(now);
    }

    /** Replaces the reader by one compare-and-set against the end of the handler. */
    private boolean replace(long busy) {
        Turn fresh = turn();
        Turn former = current;
        if (former != null && isWaiting(former.thread)) {
            watchdog.waits(former.thread);
        }
        if (!word.compareAndSet(busy, busy & ~BUSY)) {
            if (former != null) {
                watchdog.ended(former.thread);
            }
            return true;
        }
        watchdog.replaced();
        start(fresh); // before anything that may fail, as logging without memory
        LOGGER.log(Level.DEBUG, "{0}: a handler blocks; a fresh thread reads", name);
        return true;
    }

    /** Returns whether a thread has nothing to do, unlike one that computes or was preempted. */
    private static boolean isWaiting(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, BLOCKED -> true;
            case NEW, RUNNABLE, TERMINATED -> false;
        };
    }

    private void start(Turn fresh) {
        boolean first = !unstarted;
        unstarted = true;
        current = fresh;
        try {
            fresh.thread.start();
            unstarted = false;
        } catch (OutOfMemoryError e) {
            if (first) { // once in each period without memory
                LimitedLog.failed(
                        LOGGER,
                        Level.WARNING,
                        "",
                        e,
                        "No thread to read; trying each tick: {0}",
                        name);
            }
        }
    }
}
