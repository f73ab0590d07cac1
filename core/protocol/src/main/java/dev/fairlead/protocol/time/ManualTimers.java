package dev.fairlead.protocol.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Timers for tests. The clock stands still until {@link #advance} moves it; actions that are due
 * then run at once, in the order of its time, on the thread that moves the clock. Thread-safe.
 */
public final class ManualTimers implements Timers {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition scheduled = lock.newCondition();
    private final Clock clock = new ManualClock();

    // guarded by lock
    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private long schedules;
    private final Map<Duration, Integer> byDelay = new HashMap<>();

    private volatile Instant now = Instant.parse("2025-11-25T00:00:00Z");
    private volatile Duration ahead = Duration.ZERO;

    /** An action to run; of two at the same time, the one that was scheduled first runs first. */
    private record Due(Instant time, long number, Object owner, Runnable action)
            implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = time.compareTo(other.time);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    private final class ManualClock extends Clock {
        @Override
        public Instant instant() {
            return now.plus(ahead);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("this clock has no zones");
        }
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public long nanoTime() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, now);
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        return schedule(delay, action, this);
    }

    private Timer schedule(Duration delay, Runnable action, Object owner) {
        lock.lock();
        try {
            Due due = new Due(now.plus(delay), schedules++, owner, action);
            byDelay.merge(delay, 1, Integer::sum);
            queue.add(due);
            scheduled.signalAll();
            return () -> forget(due);
        } finally {
            lock.unlock();
        }
    }

    private void forget(Due due) {
        lock.lock();
        try {
            queue.remove(due);
        } finally {
            lock.unlock();
        }
    }

    /** Returns these timers for one of several users: closing them cancels only its own actions. */
    public Timers share() {
        return new Timers() {
            @Override
            public Clock clock() {
                return clock;
            }

            @Override
            public long nanoTime() {
                return ManualTimers.this.nanoTime();
            }

            @Override
            public Timer schedule(Duration delay, Runnable action) {
                return ManualTimers.this.schedule(delay, action, this);
            }

            @Override
            public void close() {
                forgetAllOf(this);
            }
        };
    }

    private void forgetAllOf(Object owner) {
        lock.lock();
        try {
            queue.removeIf(due -> due.owner() == owner);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves the clock and runs the actions that are due; stops at each due time on the way.
     *
     * @throws IllegalArgumentException if the duration is below zero
     */
    public void advance(Duration duration) {
        requireForwards(duration);
        Instant target = now.plus(duration);
        while (true) {
            Runnable action;
            lock.lock();
            try {
                Due next = queue.peek();
                if (next == null || next.time().isAfter(target)) {
                    now = target;
                    return;
                }
                queue.remove();
                if (next.time().isAfter(now)) {
                    now = next.time();
                }
                action = next.action();
            } finally {
                lock.unlock();
            }
            run(action);
        }
    }

    /** Runs an action again that found no memory, as the timers of the system do. */
    private static void run(Runnable action) {
        boolean again = true;
        while (again) {
            try {
                action.run();
                again = false;
            } catch (OutOfMemoryError e) {
                // which it may have met in the middle of its work
            }
        }
    }

    private static void requireForwards(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException(
                    "a clock cannot be moved by " + Durations.text(by) + ", only forwards");
        }
    }

    /**
     * Sets the wall clock forward, or back by a duration below zero, as an administrator does: no
     * action becomes due by that.
     */
    public void setClock(Duration by) {
        ahead = ahead.plus(by);
    }

    /** Returns how many actions are scheduled. */
    public int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until at least so many actions are scheduled.
     *
     * @throws AssertionError after 30 s
     */
    public void awaitTimers(int count) throws InterruptedException {
        await(() -> queue.size() >= count, count + " timers");
    }

    /**
     * Runs an action that leads to the scheduling of a timer, and waits for that. No other thread
     * may schedule another one meanwhile.
     *
     * @throws AssertionError after 30 s
     */
    public void untilNextTimer(Action action) throws Exception {
        untilMore(() -> schedules, "another timer", action);
    }

    /**
     * Runs an action that leads to the scheduling of a timer with a delay, and waits for that; not
     * for those with other delays, which other threads may schedule meanwhile.
     *
     * @throws AssertionError after 30 s
     */
    public void untilNextTimer(Duration delay, Action action) throws Exception {
        String wanted = "another timer of " + Durations.text(delay);
        untilMore(() -> byDelay.getOrDefault(delay, 0), wanted, action);
    }

    private void untilMore(LongSupplier timers, String wanted, Action action) throws Exception {
        long before;
        lock.lock();
        try {
            before = timers.getAsLong();
        } finally {
            lock.unlock();
        }
        action.run();
        await(() -> timers.getAsLong() > before, wanted);
    }

    /** An action for {@link #untilNextTimer}. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    private void await(BooleanSupplier condition, String wanted) throws InterruptedException {
        lock.lock();
        try {
            long left = PATIENCE.toNanos();
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError(
                            "expected " + wanted + ", but " + queue.size() + " timers are set");
                }
                left = scheduled.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            queue.clear();
        } finally {
            lock.unlock();
        }
    }
}
