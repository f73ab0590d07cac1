package dev.fairlead.server.call;

import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends what takes too long, at next to no cost for what ends soon.
 *
 * <p>A timer for each call would cost as much as the rest of a small call. So calls are only queued
 * at first; once a second those of them that still run get a timer of their own. Deadlines nearer
 * than that get one at once. Safe for use by several threads, without locks.
 */
public final class Deadlines {
    private static final Duration YOUTH = Duration.ofSeconds(1);

    private final Timers timers;
    private final Queue<Watch> young = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean promotionDue = new AtomicBoolean();

    public Deadlines(Timers timers) {
        this.timers = timers;
    }

    /** A deadline that is kept. */
    final class Watch {
        private final Instant due;
        private volatile @Nullable Runnable
                expire; // null: cancelled, so that a queued watch holds nothing
        private volatile Timers.@Nullable Timer timer;

        private Watch(Instant due, Runnable expire) {
            this.due = due;
            this.expire = expire;
        }

        void cancel() {
            expire = null;
            Timers.Timer set = timer;
            if (set != null) {
                set.cancel();
            }
        }

        private void fire() {
            Runnable action = expire;
            if (action != null) {
                action.run();
            }
        }

        private void setTimer() {
            if (expire == null) {
                return;
            }
            Duration left = Duration.between(timers.clock().instant(), due);
            Timers.Timer set =
                    timers.schedule(left.isPositive() ? left : Duration.ZERO, this::fire);
            timer = set;
            if (expire == null) { // cancelled meanwhile, when there was no timer yet
                set.cancel();
            }
        }
    }

    /**
     * Runs an action when a time has come, on the thread of the timers: it must be short.
     *
     * @param left how long that is from now
     */
    Watch watch(Instant due, Duration left, Runnable expire) {
        Watch watch = new Watch(due, expire);
        if (left.compareTo(YOUTH) <= 0) {
            watch.setTimer();
            return watch;
        }
        young.add(watch);
        if (promotionDue.compareAndSet(false, true)) {
            timers.schedule(YOUTH, this::promote);
        }
        return watch;
    }

    private void promote() {
        promotionDue.set(
                false); // before the queue is emptied, so that what comes now is promoted later
        for (Watch watch = young.poll(); watch != null; watch = young.poll()) {
            watch.setTimer();
        }
    }
}
