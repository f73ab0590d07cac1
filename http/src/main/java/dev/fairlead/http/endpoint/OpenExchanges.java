package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The exchanges that are still to be answered. The lock guards the fields. */
public final class OpenExchanges {
    /** The answers that one HTTP request waits for. */
    public interface Open {
        /** Makes a stream of an answer that has kept the client waiting since before this time. */
        default void streamIfWaitingSince(Instant time) {}

        /** No more requests are taken: what stands open without an end of its own ends. */
        default void draining() {}

        /** The server ends, and no other process will answer what is still open. */
        default void serverClosed() {}

        /** The server ends; what belongs to no session ends with it. */
        default void serverClosedWithoutSession() {}

        /** The session has ended, and with it what is under way. */
        void sessionClosed();
    }

    /** Refuses what comes when no more requests are taken. */
    public static final HttpRefusal CLOSED =
            new HttpRefusal(RefusalReason.CLOSING, "The server is being closed");

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition allAnswered = lock.newCondition();
    private final Set<Open> exchanges = new HashSet<>();
    private volatile boolean closed; // changed under the lock
    private long taken;

    /**
     * Adds one.
     *
     * @return why it was not added; empty if it was
     */
    public Optional<HttpRefusal> add(Open exchange) {
        lock.lock();
        try {
            if (closed) {
                return Optional.of(CLOSED);
            }
            exchanges.add(exchange);
            taken++;
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether no more are taken. */
    public boolean isClosed() {
        return closed;
    }

    /** How many there are. */
    public int size() {
        lock.lock();
        try {
            return exchanges.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many there have been. */
    public long taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    public void remove(Open exchange) {
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

    public void forEach(Consumer<Open> action) {
        List<Open> all;
        lock.lock();
        try {
            all = new ArrayList<>(exchanges);
        } finally {
            lock.unlock();
        }
        all.forEach(action);
    }

    /** Takes no more, and waits until all are answered, but not longer than the grace. */
    public void drain(Duration grace) throws InterruptedException {
        long left = grace.toNanos();
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        forEach(Open::draining);
        lock.lock();
        try {
            while (!exchanges.isEmpty() && left > 0) {
                left = allAnswered.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
