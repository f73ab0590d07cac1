package dev.fairlead.http;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The exchanges that are still to be answered, which are only so many. The lock guards the fields.
 */
final class OpenExchanges {
    /** The answers that one HTTP request waits for. */
    interface Open {
        /** Makes a stream of an answer that has kept the client waiting since before this time. */
        default void streamIfWaitingSince(Instant time) {}

        /** The session has ended, and with it what is under way. */
        void sessionClosed();
    }

    /** What a client is told when no more requests are taken. */
    static final String CLOSED = "The server is being closed";

    private final int max;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition allAnswered = lock.newCondition();
    private final Map<Open, BodyBudget.Share> exchanges = new HashMap<>();
    private volatile boolean closed; // changed under the lock
    private long taken;

    OpenExchanges(int max) {
        this.max = max;
    }

    /** What a client is told when there is no place for one more request. */
    static String tooMany(int max) {
        return "There are as many requests under way as there may be, which is " + max;
    }

    /**
     * Adds one.
     *
     * @param share what its body holds, which is kept until it is removed; not if it is not added
     * @return why it was not added; empty if it was
     */
    Optional<String> add(Open exchange, BodyBudget.Share share) {
        lock.lock();
        try {
            if (closed) {
                return Optional.of(CLOSED);
            }
            if (exchanges.size() >= max) {
                return Optional.of(tooMany(max));
            }
            share.keep();
            exchanges.put(exchange, share);
            taken++;
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether no more are taken. */
    boolean isClosed() {
        return closed;
    }

    /** How many there are. */
    int size() {
        lock.lock();
        try {
            return exchanges.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many there have been. */
    long taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    void remove(Open exchange) {
        lock.lock();
        try {
            BodyBudget.Share share = exchanges.remove(exchange);
            if (share != null) {
                share.release();
            }
            if (exchanges.isEmpty()) {
                allAnswered.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void forEach(Consumer<Open> action) {
        List<Open> all;
        lock.lock();
        try {
            all = new ArrayList<>(exchanges.keySet());
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
