package dev.fairlead.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The exchanges of an endpoint that are still to be answered, which are only so many. The lock
 * guards the fields.
 */
final class OpenExchanges {
    /** Why there is no place. */
    enum Refusal {
        CLOSED,
        FULL
    }

    private final int max;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition allAnswered = lock.newCondition();
    private final Set<PostExchange> exchanges = new HashSet<>();
    private boolean closed;

    OpenExchanges(int max) {
        this.max = max;
    }

    /** Adds one, unless there is a reason not to. */
    Optional<Refusal> add(PostExchange exchange) {
        lock.lock();
        try {
            if (closed) {
                return Optional.of(Refusal.CLOSED);
            }
            if (exchanges.size() >= max) {
                return Optional.of(Refusal.FULL);
            }
            exchanges.add(exchange);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    void remove(PostExchange exchange) {
        lock.lock();
        try {
            exchanges.remove(exchange);
            if (exchanges.isEmpty()) {
                allAnswered.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void forEach(Consumer<PostExchange> action) {
        List<PostExchange> all;
        lock.lock();
        try {
            all = new ArrayList<>(exchanges);
        } finally {
            lock.unlock();
        }
        all.forEach(action);
    }

    /** Takes no more, and waits until all are answered, but not longer than the grace. */
    void drain(Duration grace) throws InterruptedException {
        long left = grace.toNanos();
        lock.lock();
        try {
            closed = true;
            while (!exchanges.isEmpty() && left > 0) {
                left = allAnswered.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
