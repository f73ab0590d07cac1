package dev.fairlead.tasks.requestor;

import dev.fairlead.protocol.time.Timers;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A clock that stands still until it is moved. */
public final class ManualTimers implements Timers {
    private record Due(Instant at, Runnable action) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition scheduled = lock.newCondition();
    private final List<Due> waiting = new ArrayList<>();
    private int settings;
    private Instant now = Instant.parse("2025-11-25T00:00:00Z");
    private Duration ahead = Duration.ZERO;

    @Override
    public Clock clock() {
        return new Clock() {
            @Override
            public Instant instant() {
                lock.lock();
                try {
                    return now.plus(ahead);
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
    }

    /** Sets the clock forward; nothing takes longer or shorter for that. */
    public void setClock(Duration by) {
        lock.lock();
        try {
            ahead = ahead.plus(by);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long nanoTime() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, moment());
    }

    private Instant moment() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        lock.lock();
        try {
            Due due = new Due(now.plus(delay), action);
            waiting.add(due);
            settings++;
            scheduled.signalAll();
            return () -> forget(due);
        } finally {
            lock.unlock();
        }
    }

    private void forget(Due due) {
        lock.lock();
        try {
            waiting.remove(due);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until at least so many timers are set. */
    public void awaitTimers(int count) throws InterruptedException {
        await(() -> waiting.size() >= count);
    }

    /** Whether anything waits for the clock. */
    boolean areSet() {
        lock.lock();
        try {
            return !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Does something that leads to the setting of one timer, and waits for that. */
    public void untilNextTimer(Action action) throws Exception {
        int before;
        lock.lock();
        try {
            before = settings;
        } finally {
            lock.unlock();
        }
        action.run();
        await(() -> settings > before);
    }

    /** Something that may fail. */
    public interface Action {
        void run() throws Exception;
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        lock.lock();
        try {
            long left = 30_000_000_000L;
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError("only " + waiting.size() + " timers are set");
                }
                left = scheduled.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Moves the clock and runs what is due, in its order. */
    public void advance(Duration duration) {
        Instant end = moment().plus(duration);
        while (true) {
            Optional<Due> next;
            lock.lock();
            try {
                next =
                        waiting.stream()
                                .filter(due -> !due.at().isAfter(end))
                                .min(Comparator.comparing(Due::at));
                now = next.map(Due::at).orElse(end);
                next.ifPresent(waiting::remove);
            } finally {
                lock.unlock();
            }
            if (next.isEmpty()) {
                return;
            }
            next.get().action().run();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            waiting.clear();
        } finally {
            lock.unlock();
        }
    }
}
