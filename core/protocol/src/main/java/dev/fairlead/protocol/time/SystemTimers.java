package dev.fairlead.protocol.time;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Timers of the system's clock, on one daemon thread that starts with the first timer.
 *
 * <p>The thread survives a moment without memory, as that of a {@link
 * java.util.concurrent.ScheduledThreadPoolExecutor} does not: it allocates nothing, and an action
 * that ends with an {@link OutOfMemoryError} runs again {@value #PAUSE_MILLIS} ms later, beside the
 * others. So an action must not mind that a part of it has run already.
 */
final class SystemTimers implements Timers {
    private static final System.Logger LOGGER = System.getLogger(Timers.class.getName());
    private static final long PAUSE_MILLIS = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);

    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // guarded by lock
    private final TreeSet<Entry> entries = new TreeSet<>();
    private long lastNumber;
    private @Nullable Entry failed; // the first of those that run again
    private boolean started;
    private boolean closed;

    SystemTimers(String name) {
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .inheritInheritableThreadLocals(false)
                        .unstarted(LastingLoop.task(LOGGER, "", "A timer failed", this::runDue));
    }

    /** A timer; of two that are due at the same time the first one set comes first. */
    private final class Entry implements Timer, Comparable<Entry> {
        private final Runnable action;
        private final long due; // by nanoTime
        private final long number;
        private @Nullable Entry nextFailed;
        private volatile boolean cancelled;

        private Entry(Runnable action, long due, long number) {
            this.action = action;
            this.due = due;
            this.number = number;
        }

        @Override
        public int compareTo(Entry other) {
            int byTime = Long.signum(due - other.due);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }

        @Override
        public void cancel() {
            cancelled = true;
            forget(this);
        }
    }

    @Override
    public Clock clock() {
        return Clock.systemUTC();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        lock.lock();
        try {
            Entry entry = new Entry(action, System.nanoTime() + delay.toNanos(), ++lastNumber);
            if (closed) {
                return entry;
            }
            if (!started) {
                thread.start();
                started = true;
            }
            entries.add(entry);
            if (entries.first() == entry) {
                changed.signal();
            }
            return entry;
        } finally {
            lock.unlock();
        }
    }

    private void forget(Entry entry) {
        lock.lock();
        try {
            entries.remove(entry);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until actions are due, and runs them; returns false once these timers are closed. */
    private boolean runDue() {
        try {
            awaitDue();
        } catch (InterruptedException e) { // of a close, or left by an action
            return !isClosed();
        }
        Entry again = takeFailed();
        while (again != null) {
            Entry next = again.nextFailed;
            run(again);
            again = next;
        }
        for (Entry due = takeDue(); due != null; due = takeDue()) {
            run(due);
        }
        return !isClosed();
    }

    private void run(Entry entry) {
        try {
            if (!entry.cancelled) {
                entry.action.run();
            }
        } catch (OutOfMemoryError e) {
            repeat(entry);
        } catch (Throwable e) { // the next ones are due all the same
            LimitedLog.failed(LOGGER, System.Logger.Level.ERROR, "", e, "A timer failed");
        }
    }

    private void repeat(Entry entry) {
        lock.lock();
        try {
            entry.nextFailed = failed;
            failed = entry;
        } finally {
            lock.unlock();
        }
    }

    private void awaitDue() throws InterruptedException {
        lock.lock();
        try {
            if (failed != null) {
                changed.awaitNanos(PAUSE_NANOS);
                return;
            }
            while (!closed) {
                if (entries.isEmpty()) {
                    changed.await();
                    continue;
                }
                long left = entries.first().due - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Entry takeFailed() {
        lock.lock();
        try {
            Entry first = failed;
            failed = null;
            return first;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Entry takeDue() {
        lock.lock();
        try {
            boolean due = !entries.isEmpty() && entries.first().due - System.nanoTime() <= 0;
            return due ? entries.pollFirst() : null;
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            entries.clear();
            failed = null;
            changed.signal();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
    }
}
