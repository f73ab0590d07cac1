package dev.fairlead.protocol.time;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Timers that are cheap to cancel soon after they were set, such as the timeout of a call.
 *
 * <p>To set and cancel a timer for each call would cost as much as the rest of a small call. So an
 * action that is due in more than a second is only queued at first; once a second each queued
 * action that has not been cancelled gets a timer of its own. Safe for use by several threads,
 * without locks.
 */
final class DeferredTimers implements Timers {
    private static final Duration YOUTH = Duration.ofSeconds(1);

    /** A hundred years, close to the greatest number of nanoseconds. */
    private static final Duration FOREVER = Duration.ofDays(36_525);

    private final Timers timers;
    private final Queue<Deferred> young = new ConcurrentLinkedQueue<>();
    private final Runnable promotion = this::promote;
    private final AtomicBoolean promotionDue = new AtomicBoolean();
    private volatile boolean closed;

    DeferredTimers(Timers timers) {
        this.timers = timers;
    }

    private final class Deferred implements Timer, Runnable {
        private final long due; // by nanoTime
        private volatile @Nullable Runnable
                action; // null if cancelled, so that a queued entry holds nothing
        private volatile @Nullable Timer timer;

        private Deferred(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        @Override
        public void cancel() {
            action = null;
            Timer set = timer;
            if (set != null) {
                set.cancel();
            }
        }

        @Override
        public void run() {
            Runnable current = action;
            if (current != null) {
                current.run();
            }
        }

        private void setTimer() {
            if (action == null) {
                return;
            }
            long left = Math.max(0, due - timers.nanoTime());
            Timer set = timers.schedule(Duration.ofNanos(left), this);
            timer = set;
            if (action == null) { // cancelled meanwhile, when there was no timer yet
                set.cancel();
            }
        }
    }

    @Override
    public Clock clock() {
        return timers.clock();
    }

    @Override
    public long nanoTime() {
        return timers.nanoTime();
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        if (closed) {
            return () -> {};
        }
        if (delay.compareTo(YOUTH) <= 0) {
            return timers.schedule(delay, action);
        }
        Duration counted = delay.compareTo(FOREVER) < 0 ? delay : FOREVER;
        Deferred deferred = new Deferred(nanoTime() + counted.toNanos(), action);
        young.add(deferred);
        if (promotionDue.compareAndSet(false, true)) {
            boolean scheduled = false;
            try {
                timers.schedule(YOUTH, promotion);
                scheduled = true;
            } finally { // the thread of the timers may not start
                promotionDue.set(scheduled);
            }
        }
        return deferred;
    }

    private void promote() {
        promotionDue.set(false); // before the queue is emptied: later entries are promoted later
        promoteAll();
    }

    /** Sets a timer for each queued entry; an entry stays in the queue until its timer is set. */
    private void promoteAll() {
        for (Deferred next = young.peek(); next != null; next = young.peek()) {
            next.setTimer();
            young.poll(); // no other thread takes any, unless the timers are closed
        }
    }

    @Override
    public void close() {
        closed = true;
        timers.close();
        young.clear();
    }
}
