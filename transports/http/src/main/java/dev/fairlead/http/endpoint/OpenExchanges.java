package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.protocol.time.LimitedLog;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The exchanges that are still to be answered. The lock guards the end of their being taken. */
public final class OpenExchanges {
    private static final System.Logger LOGGER = System.getLogger(OpenExchanges.class.getName());

    /** The answers that one HTTP request waits for. */
    public interface Open {
        /** Makes a stream of an answer that has kept the client waiting since before this time. */
        default void streamIfWaitingSince(Instant time) {}

        /** The server takes no more requests: exchanges without an end of their own end. */
        default void draining() {}

        /** The server ends, and no other process will answer the open requests. */
        default void serverClosed() {}

        /** The server ends; an exchange without a session ends with it. */
        default void serverClosedWithoutSession() {}

        /** The session has ended, and its exchanges end with it. */
        void sessionClosed();

        /** Returns whether another node answers it. */
        default boolean isForwarded() {
            return false;
        }
    }

    /** Refuses requests when no more are taken. */
    public static final HttpRefusal CLOSED =
            new HttpRefusal(RefusalReason.CLOSING, "The server is being closed")
                    .withRetryAfter(HttpRefusal.SOON);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private final Set<Open> exchanges = ConcurrentHashMap.newKeySet(); // added to under the lock
    private final LongAdder taken = new LongAdder();
    private volatile Phase phase = Phase.OPEN; // changed under the lock

    /** The exchanges that are taken; in the order of time. */
    private enum Phase {
        /** All. */
        OPEN,
        /** Requests that continue a call, and forwarded ones. */
        DRAINING,
        /** Forwarded requests. */
        FORWARDING,
        /** None. */
        CLOSED
    }

    /**
     * Adds one.
     *
     * @param continued whether it continues a call, and so is taken while others end
     * @return false if no more are taken: see {@link #CLOSED}
     */
    public boolean add(Open exchange, boolean continued) {
        lock.lock();
        try {
            boolean takes =
                    switch (phase) {
                        case OPEN -> true;
                        case DRAINING -> continued || exchange.isForwarded();
                        case FORWARDING -> exchange.isForwarded();
                        case CLOSED -> false;
                    };
            if (takes) {
                exchanges.add(exchange);
                taken.increment();
            }
            return takes;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether {@link #drain} has begun. */
    public boolean isClosed() {
        return phase != Phase.OPEN;
    }

    /** Returns how many there are. */
    public int size() {
        return exchanges.size();
    }

    /** Returns how many there have been. */
    public long taken() {
        return taken.sum();
    }

    public void remove(Open exchange) {
        lock.lock();
        try {
            exchanges.remove(exchange);
            answered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action for each of them. One that throws is logged, and keeps no other from it. */
    public void forEach(Consumer<Open> action) {
        for (Open exchange : exchanges) {
            try {
                action.accept(exchange);
            } catch (RuntimeException e) { // such as of an engine whose client is gone
                LimitedLog.failed(
                        LOGGER, System.Logger.Level.WARNING, "", e, "A request did not end well");
            }
        }
    }

    /** Waits until no call waits for the next request of its client, or the time is over. */
    public interface Continued {
        void await(Duration limit) throws InterruptedException;
    }

    /**
     * Takes no more but those that continue a call, and waits until all are answered that are
     * answered here and no call waits, but not longer than the grace. Then takes none of them. All
     * the time those are taken that are forwarded: {@link #close} ends that.
     */
    public void drain(Duration grace, Continued calls) throws InterruptedException {
        long end = System.nanoTime() + grace.toNanos();
        enter(Phase.DRAINING);
        forEach(Open::draining);
        try {
            awaitAnswered(false, end); // calls that begin to wait do so by then
            calls.await(Duration.ofNanos(end - System.nanoTime()));
            awaitAnswered(false, end);
        } finally {
            enter(Phase.FORWARDING);
        }
    }

    /**
     * Waits until all are answered that other nodes answer, but not longer than the limit, and
     * takes none any more. To be called once no request can come.
     */
    public void close(Duration limit) throws InterruptedException {
        forEach(Open::draining);
        try {
            awaitAnswered(true, System.nanoTime() + limit.toNanos());
        } finally {
            enter(Phase.CLOSED);
        }
    }

    private void enter(Phase next) {
        lock.lock();
        phase = next;
        lock.unlock();
    }

    private void awaitAnswered(boolean forwarded, long end) throws InterruptedException {
        lock.lock();
        try {
            long left = end - System.nanoTime();
            while (has(forwarded) && left > 0) {
                left = answered.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean has(boolean forwarded) {
        return exchanges.stream().anyMatch(each -> each.isForwarded() == forwarded);
    }
}
