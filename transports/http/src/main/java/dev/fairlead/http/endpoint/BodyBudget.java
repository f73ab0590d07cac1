package dev.fairlead.http.endpoint;

import dev.fairlead.http.exchange.ObservedInputStream;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many bytes of request bodies may be held at the same time, by all callers and by each. They
 * count from when they come, not from when a client announces them. Of several bodies that are
 * being read and find no room, the one that began first waits for the others to fail, so that not
 * all do. Safe for use by several threads; the lock guards the counts.
 */
public final class BodyBudget {
    /** How long a body waits for room that other bodies take which are being read. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final long max;
    private final long perCaller;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Object, Long> callers = new HashMap<>();
    private final Set<Share> reading = new LinkedHashSet<>();
    private long held;

    /**
     * @param perCaller the most bytes that the bodies of one caller may have
     */
    BodyBudget(long max, long perCaller) {
        this(max, perCaller, PATIENCE);
    }

    BodyBudget(long max, long perCaller, Duration patience) {
        this.max = max;
        this.perCaller = perCaller;
        this.patience = patience;
    }

    /** There is no place for more. */
    static final class ExhaustedException extends IOException {
        private static final long serialVersionUID = 1;

        private ExhaustedException(String whose, long max) {
            super("the bodies of " + whose + " together may have " + max + " bytes");
        }
    }

    /**
     * Nothing yet.
     *
     * @param caller the same for all requests of a caller
     */
    Share share(Object caller) {
        return new Share(caller);
    }

    /** Whether a caller may take so many bytes just now. */
    boolean hasRoom(Object caller, int bytes) {
        lock.lock();
        try {
            return held + bytes <= max && callers.getOrDefault(caller, 0L) + bytes <= perCaller;
        } finally {
            lock.unlock();
        }
    }

    /** What one request holds. One thread takes it, any thread gives it back. */
    public final class Share {
        private final Object caller;
        private long bytes;
        private volatile boolean kept;

        private Share(Object caller) {
            this.caller = caller;
        }

        /**
         * Takes more.
         *
         * @throws ExhaustedException if there is not so much, and nothing was taken
         */
        void take(int more) throws ExhaustedException {
            lock.lock();
            try {
                reading.add(this);
                if (!hasRoom(caller, more)) {
                    awaitRoom(more);
                }
                bytes += more;
                held += more;
                callers.merge(caller, (long) more, Long::sum);
            } finally {
                lock.unlock();
            }
        }

        private void awaitRoom(int more) throws ExhaustedException {
            long left = patience.toNanos();
            while (left > 0 && isFirstOfSeveral(held + more <= max)) {
                try {
                    left = changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    break;
                }
                if (hasRoom(caller, more)) {
                    return;
                }
            }
            throw held + more > max
                    ? new ExhaustedException("all requests", max)
                    : new ExhaustedException("all requests of a caller", perCaller);
        }

        /** Whether this body began first, and others are read that may give room back. */
        private boolean isFirstOfSeveral(boolean ofCaller) {
            List<Share> others =
                    reading.stream()
                            .filter(each -> !ofCaller || each.caller.equals(caller))
                            .toList();
            return others.size() > 1 && others.getFirst() == this;
        }

        /** A body whose bytes are taken as they come; those beyond a limit are not. */
        InputStream counting(InputStream body, int limit) {
            return new Counting(body, limit);
        }

        /** Keeps it until {@link #release}, when the request is answered. */
        void keep() {
            kept = true;
            lock.lock();
            try {
                reading.remove(this);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** Gives all back unless it is kept. */
        void releaseUnlessKept() {
            if (!kept) {
                release();
            }
        }

        /** Gives all back; does nothing the second time. */
        void release() {
            lock.lock();
            try {
                long all = bytes;
                bytes = 0;
                held -= all;
                callers.computeIfPresent(
                        caller, (key, before) -> before == all ? null : Long.valueOf(before - all));
                reading.remove(this);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** Used by one thread. */
        private final class Counting extends ObservedInputStream {
            private int left;

            Counting(InputStream body, int limit) {
                super(body);
                this.left = limit;
            }

            @Override
            protected void onRead(int read) throws ExhaustedException {
                int more = Math.min(read, left);
                if (more > 0) {
                    take(more);
                    left -= more;
                }
            }
        }
    }
}
