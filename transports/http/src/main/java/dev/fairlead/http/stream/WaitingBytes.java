package dev.fairlead.http.stream;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the bytes of answers and events that wait until their clients read them: those of each
 * session or connection, of each caller, and of all. A single answer of any size may wait where
 * nothing else does. The last eighth is left to small answers, so that clients that read are served
 * while large answers are refused. The lock guards the counts; nothing else runs under it but waits
 * for room.
 */
public final class WaitingBytes {
    /** The limit of all with a large heap. */
    public static final long MOST = 256L << 20;

    /** The limit of all with a smaller heap: this part of it. */
    public static final int HEAP_PART = 8;

    /** What a caller may have of the limit of all: this part. */
    public static final int CALLER_PART = 2;

    /** What a session, or a connection without one, may have of the limit of all: this part. */
    public static final int SESSION_PART = 4;

    /** Answers up to this size may use what is left to them. */
    public static final int SMALL = 64 << 10;

    /** How long an answer, or a request of a session that does not read, waits for room. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int SMALL_PART = 8;
    private static final int SMALL_CALLER_PART = 16;

    private final long all;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Map<Object, Held> callers = new HashMap<>();
    private final Map<Object, Held> sessions = new HashMap<>();
    private final Held total = new Held();

    public WaitingBytes(long all) {
        this(all, PATIENCE);
    }

    WaitingBytes(long all, Duration patience) {
        this.all = all;
        this.patience = patience;
    }

    private static final Held NOTHING = new Held(); // is never changed

    /** Counts of bytes. */
    private static final class Held {
        public long large;
        public long small;

        /** Of answers that wait for room, and so are in memory as well. */
        public long queued;

        public boolean isEmpty() {
            return large == 0 && small == 0 && queued == 0;
        }

        public void add(long moreLarge, long moreSmall) {
            large += moreLarge;
            small += moreSmall;
        }

        /** Whether a large answer fits, or would be the only one. */
        public boolean takes(long bytes, long limit) {
            return large == 0 || large + bytes <= limit;
        }
    }

    /**
     * Returns the share of one HTTP request, whose answer does not wait yet.
     *
     * @param caller the same for all requests of a caller
     * @param session the same for all requests of a session; else one of this request alone
     */
    public Share share(Object caller, Object session) {
        return new Share(caller, session);
    }

    /** Returns how many bytes wait. */
    public long waiting() {
        lock.lock();
        try {
            return total.large + total.small;
        } finally {
            lock.unlock();
        }
    }

    /** What one answer, or one stream, has waiting. Thread-safe. */
    public final class Share {
        private final Object caller;
        private final Object session;
        private long large;
        private long small;

        private Share(Object caller, Object session) {
            this.caller = caller;
            this.session = session;
        }

        /** Counts bytes that are to wait; false, and nothing counted, if there is no room. */
        public boolean tryTake(long bytes) {
            lock.lock();
            try {
                return takes(bytes);
            } finally {
                lock.unlock();
            }
        }

        /**
         * Counts bytes that are to wait, once there is room.
         *
         * @return false, and nothing counted, if there is none in time, too many wait for room
         *     already, or the thread is interrupted
         */
        public boolean take(long bytes) {
            lock.lock();
            try {
                return takes(bytes) || (mayQueue(bytes) && queue(bytes));
            } finally {
                lock.unlock();
            }
        }

        private boolean mayQueue(long bytes) {
            Held own = callers.getOrDefault(caller, NOTHING);
            return total.queued + bytes <= all / SESSION_PART
                    && own.queued + bytes <= all / SMALL_PART;
        }

        private boolean queue(long bytes) {
            Held own = callers.computeIfAbsent(caller, key -> new Held());
            own.queued += bytes;
            total.queued += bytes;
            try {
                long left = patience.toNanos();
                while (left > 0) {
                    left = released.awaitNanos(left);
                    if (takes(bytes)) {
                        return true;
                    }
                }
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                own.queued -= bytes;
                total.queued -= bytes;
                tidy();
            }
        }

        private boolean takes(long bytes) {
            Held ofCaller = callers.getOrDefault(caller, NOTHING);
            Held ofSession = sessions.getOrDefault(session, NOTHING);
            boolean isSmall = isSmall(bytes, ofCaller);
            boolean fits =
                    isSmall
                            || (total.takes(bytes, all - all / SMALL_PART)
                                    && ofCaller.takes(bytes, all / CALLER_PART)
                                    && ofSession.takes(bytes, all / SESSION_PART));
            if (fits) {
                add(isSmall ? 0 : bytes, isSmall ? bytes : 0);
            }
            return fits;
        }

        private boolean isSmall(long bytes, Held ofCaller) {
            return bytes <= SMALL
                    && ofCaller.small + bytes <= Math.max(all / SMALL_CALLER_PART, SMALL)
                    && total.large + total.small + bytes <= all;
        }

        /** Gives back bytes that were written, or dropped. */
        public void release(long bytes) {
            lock.lock();
            try {
                long ofLarge = Math.min(bytes, large);
                long ofSmall = Math.min(bytes - ofLarge, small);
                if (ofLarge + ofSmall > 0) {
                    add(-ofLarge, -ofSmall);
                    released.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }

        /**
         * Counts bytes that are to wait in place of others, which this share has counted.
         *
         * @return false, and nothing changed, if there is no room
         */
        public boolean tryReplace(long bytes, long by) {
            lock.lock();
            try {
                long ofLarge = Math.min(bytes, large);
                long ofSmall = Math.min(bytes - ofLarge, small);
                add(-ofLarge, -ofSmall);
                boolean fits = takes(by);
                if (!fits) {
                    add(ofLarge, ofSmall);
                }
                return fits;
            } finally {
                lock.unlock();
            }
        }

        private void add(long moreLarge, long moreSmall) {
            large += moreLarge;
            small += moreSmall;
            total.add(moreLarge, moreSmall);
            callers.computeIfAbsent(caller, key -> new Held()).add(moreLarge, moreSmall);
            sessions.computeIfAbsent(session, key -> new Held()).add(moreLarge, moreSmall);
            tidy();
        }

        /** Gives back everything. */
        public void release() {
            release(Long.MAX_VALUE);
        }

        /**
         * Waits while the large answers that this session does not read take its whole share.
         *
         * @return false if they still do, or the thread is interrupted
         */
        public boolean awaitReader() {
            lock.lock();
            try {
                long left = patience.toNanos();
                while (isFull() && left > 0) {
                    left = released.awaitNanos(left);
                }
                return !isFull();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                lock.unlock();
            }
        }

        private boolean isFull() {
            Held own = sessions.get(session);
            return own != null && own.large > 0 && own.large + SMALL > all / SESSION_PART;
        }

        private void tidy() {
            remove(callers, caller);
            remove(sessions, session);
        }

        private static void remove(Map<Object, Held> held, Object key) {
            Held own = held.get(key);
            if (own != null && own.isEmpty()) {
                held.remove(key);
            }
        }
    }
}
