package dev.fairlead.http.stream;

import dev.fairlead.protocol.limits.Quota;

import java.time.Duration;

/**
 * Limits the bytes of answers and events that wait until their clients read them: a {@link Quota}
 * whose last eighth is its reserve, and a queue for answers that find no room. Thread-safe.
 */
public final class WaitingBytes {
    /** A caller may have this part of the limit of all. */
    public static final int CALLER_PART = 2;

    /** A session, or a connection without one, may have this part of the limit of all. */
    public static final int SESSION_PART = 4;

    /** This part of the limit of all is the reserve. */
    public static final int RESERVE_PART = 8;

    /** The bytes that are little in any case. */
    public static final int SMALL = 64 << 10;

    /** How long an answer, or a request of a session that does not read, waits for room. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Quota bytes;
    private final Quota queued;
    private final Duration patience;

    public WaitingBytes(long all) {
        this(all, PATIENCE);
    }

    WaitingBytes(long all, Duration patience) {
        long reserve = all / RESERVE_PART;
        this.bytes =
                Quota.of(all - reserve)
                        .perCaller(all / CALLER_PART)
                        .perSession(all / SESSION_PART)
                        .dividedReserve(reserve, SMALL)
                        .oversized();
        this.queued = Quota.of(all / SESSION_PART).perCaller(all / RESERVE_PART);
        this.patience = patience;
    }

    /**
     * Returns the share of one HTTP request, whose answer does not wait yet.
     *
     * @param caller the same for all requests of a caller
     * @param session the same for all requests of a session; else one of this request alone
     */
    public Share share(Object caller, Object session) {
        return new Share(caller, bytes.share(caller, session));
    }

    /** Returns how many bytes wait. */
    public long waiting() {
        return bytes.held();
    }

    /** The waiting bytes of one answer or stream. Thread-safe. */
    public final class Share {
        private final Object caller;
        private final Quota.Share counted;

        private Share(Object caller, Quota.Share counted) {
            this.caller = caller;
            this.counted = counted;
        }

        /** Counts bytes that are to wait; false, and nothing counted, if there is no room. */
        public boolean tryTake(long amount) {
            return counted.take(amount);
        }

        /**
         * Counts bytes that are to wait in place of all that this share has counted, once there is
         * room.
         *
         * @return false, and nothing counted, if there is none in time, too many wait for room
         *     already, or the thread is interrupted
         */
        public boolean takeInstead(long amount) {
            if (counted.replace(counted.held(), amount)) {
                return true;
            }
            counted.release();
            Quota.Share queue = queued.share(caller, null);
            if (!queue.take(amount)) { // they are in memory as well
                return false;
            }
            try {
                return counted.take(amount, patience, () -> true);
            } finally {
                queue.release();
            }
        }

        /**
         * Counts bytes that are to wait in place of others, which this share has counted.
         *
         * @return false, and nothing changed, if there is no room
         */
        public boolean tryReplace(long given, long amount) {
            return counted.replace(given, amount);
        }

        /** Gives back bytes that were written, or dropped. */
        public void release(long amount) {
            counted.release(amount);
        }

        /** Gives back everything. */
        public void release() {
            counted.release();
        }

        /**
         * Waits while the answers that this session does not read take its whole share.
         *
         * @return false if they still do, or the thread is interrupted
         */
        public boolean awaitReader() {
            return counted.awaitSession(SMALL, patience);
        }
    }
}
