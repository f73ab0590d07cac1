package dev.fairlead.http.endpoint;

import dev.fairlead.http.exchange.ObservedInputStream;
import dev.fairlead.protocol.limits.Quota;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Limits the bytes of request bodies that are held at the same time, with a reserve for callers and
 * bodies that hold little. They count from when they come, not from when a client announces them.
 * Of several bodies that are being read and find no room, the first waits for the others to fail,
 * so that not all do. Thread-safe.
 */
public final class BodyBudget {
    /** How long a body waits for room that other bodies take which are being read. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Quota held;
    private final long perCaller;
    private final Duration patience;
    private final Set<Share> reading = new LinkedHashSet<>(); // guarded by itself

    /**
     * Creates a budget.
     *
     * @param max the most bytes of all bodies, without the reserve
     * @param perCaller the most bytes of the bodies of one caller
     * @param reserve the bytes of the reserve
     */
    BodyBudget(long max, long perCaller, long reserve) {
        this(max, perCaller, reserve, PATIENCE);
    }

    BodyBudget(long max, long perCaller, long reserve, Duration patience) {
        this.held = Quota.of(max).perCaller(perCaller).dividedReserve(reserve, RequestBody.SMALL);
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
     * Returns the share of a body that holds nothing yet.
     *
     * @param caller the same for all requests of a caller
     */
    Share share(Object caller) {
        return new Share(caller);
    }

    /** The bytes of one request. One thread takes them, any thread gives them back. */
    public final class Share {
        private final Object caller;
        private final Quota.Share bytes;
        private volatile boolean kept;

        private Share(Object caller) {
            this.caller = caller;
            this.bytes = held.sessionShare(caller);
        }

        /**
         * Takes more.
         *
         * @throws ExhaustedException if there is not so much, and nothing was taken
         */
        void take(int more) throws ExhaustedException {
            synchronized (reading) {
                reading.add(this);
            }
            if (!bytes.take(more) && !bytes.take(more, patience, () -> mayWait(more))) {
                throw isFull(more)
                        ? new ExhaustedException("all requests", held.limit())
                        : new ExhaustedException("all requests of a caller", perCaller);
            }
        }

        private boolean isFull(int more) {
            return held.held() + more > held.limit();
        }

        /** Whether this body began first, and others are read that may give room back. */
        private boolean mayWait(int more) {
            boolean full = isFull(more);
            synchronized (reading) {
                Share first = null;
                int count = 0;
                for (Share each : reading) {
                    if (full || each.caller.equals(caller)) {
                        first = first == null ? each : first;
                        count++;
                    }
                }
                return count > 1 && first == this;
            }
        }

        /** Returns a body whose bytes are taken as they come; those beyond a limit are not. */
        InputStream counting(InputStream body, int limit) {
            return new Counting(body, limit);
        }

        /** Keeps it until {@link #release}, when the request is answered. */
        public void keep() {
            kept = true;
            ended();
        }

        /** Gives all back unless it is kept. */
        void releaseUnlessKept() {
            if (!kept) {
                release();
            }
        }

        /** Gives all back; does nothing the second time. */
        public void release() {
            bytes.release();
            ended();
        }

        /** Has the body that is first now wait no longer for this one. */
        private void ended() {
            boolean read;
            synchronized (reading) {
                read = reading.remove(this);
            }
            if (read) {
                held.wake();
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
