package dev.fairlead.testing;

import dev.fairlead.protocol.time.Timers;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A clock that stands still until a test moves it. What is due then happens at once, in the order
 * of its time, on the thread that moves the clock. Thread-safe.
 */
public final class TestTimers implements Timers {
    private static final Instant START = Instant.parse("2025-11-25T12:00:00Z");

    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Due> queue = new PriorityQueue<>(); // guarded by lock
    private long scheduled; // guarded by lock
    private volatile Instant now = START;

    /** Something to happen; what was scheduled first happens first at the same time. */
    private record Due(Instant time, long number, Object owner, Runnable action)
            implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = time.compareTo(other.time);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    /** The clock starts at noon of the day that names the newest revision. */
    private final Clock clock =
            new Clock() {
                @Override
                public ZoneId getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(ZoneId zone) {
                    throw new UnsupportedOperationException("this clock has no zones");
                }

                @Override
                public Instant instant() {
                    return now;
                }
            };

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        return schedule(delay, action, this);
    }

    private Timer schedule(Duration delay, Runnable action, Object owner) {
        lock.lock();
        try {
            Due due = new Due(now.plus(delay), scheduled++, owner, action);
            queue.add(due);
            return () -> forget(due);
        } finally {
            lock.unlock();
        }
    }

    /** These timers for one of several users: closing them forgets only what that one scheduled. */
    public Timers share() {
        return new Timers() {
            @Override
            public Clock clock() {
                return clock;
            }

            @Override
            public Timer schedule(Duration delay, Runnable action) {
                return TestTimers.this.schedule(delay, action, this);
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

    private void forget(Due due) {
        lock.lock();
        try {
            queue.remove(due);
        } finally {
            lock.unlock();
        }
    }

    /** Moves the clock, stopping wherever something is due. */
    public void advance(Duration duration) {
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
            action.run();
        }
    }

    /** How many things are to happen. */
    public int pending() {
        lock.lock();
        try {
            return queue.size();
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
