package dev.fairlead.protocol.limits;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A limit of places, or of bytes, that callers and their sessions share. A share takes an amount if
 * one of these rules holds; "with it" is after the amount was taken:
 *
 * <ol>
 *   <li><b>There is room.</b> With it all shares hold at most {@code limit}, those of the caller at
 *       most {@code perCaller}, and those of the session at most {@code perSession}.
 *   <li><b>The caller holds little.</b> With it all shares hold at most {@code limit + reserve},
 *       and those of the caller at most {@code little}.
 *   <li><b>The session holds little.</b> With it all shares hold at most {@code limit + reserve /
 *       2}, those of the caller at most {@code perCaller + reserve / 2}, and those of the session
 *       at most {@code little}.
 * </ol>
 *
 * <p>{@code little} is a fixed amount, or an eighth of the amount that the rule still leaves, so
 * that a few cannot use up the reserve. A single caller may thus take all up to its own limit, and
 * others still get their part. A caller or a session has no limit, and there is no reserve, unless
 * given; without a reserve only the first rule counts.
 *
 * <p>A quota is configured before its first share is made. Thread-safe; nothing runs under the lock
 * but the conditions of waiting shares.
 */
public final class Quota {
    /** The usual reserve is this part of a limit. */
    public static final int RESERVE = 4;

    /** A little is this part of the rest of the reserve. */
    public static final int SHARE = 8;

    /** Small enough for a reserve on top. */
    private static final long UNLIMITED = Long.MAX_VALUE / 4;

    private final long limit;
    private long perCaller = UNLIMITED;
    private long perSession = UNLIMITED;
    private long reserve;
    private long little;
    private boolean dividesReserve;
    private boolean takesOversized;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Object, Long> callers = new HashMap<>(); // guarded by lock
    private final Map<Object, Long> sessions = new HashMap<>(); // guarded by lock
    private long held; // guarded by lock

    private Quota(long limit) {
        this.limit = Math.min(limit, UNLIMITED);
    }

    /** A limit for all without a reserve. */
    public static Quota of(long limit) {
        return new Quota(limit);
    }

    /** A limit for all, with a reserve of a quarter on top that is divided. */
    public static Quota shared(long limit) {
        return new Quota(limit).dividedReserve(limit / RESERVE, 1);
    }

    /** Returns a limit without the quarter that is its reserve. */
    public static int withoutReserve(int limit) {
        return limit - limit / RESERVE;
    }

    /** Sets the limit of all shares of one caller. */
    public Quota perCaller(long most) {
        perCaller = Math.min(most, UNLIMITED);
        return this;
    }

    /** Sets the limit of all shares of one session. */
    public Quota perSession(long most) {
        perSession = Math.min(most, UNLIMITED);
        return this;
    }

    /** Adds a reserve for callers and sessions that hold no more than a fixed amount. */
    public Quota reserve(long size, long little) {
        this.reserve = Math.min(size, UNLIMITED);
        this.little = little;
        return this;
    }

    /**
     * Adds a reserve for callers and sessions that hold no more than an eighth of the rest.
     *
     * @param least the amount that is little in any case
     */
    public Quota dividedReserve(long size, long least) {
        dividesReserve = true;
        return reserve(size, least);
    }

    /**
     * Takes an amount of any size where all hold no more than the reserve, and the caller and the
     * session no more than a little.
     */
    public Quota oversized() {
        takesOversized = true;
        return this;
    }

    /** Returns the limit for all without its reserve. */
    public long limit() {
        return limit;
    }

    /** Returns how much all shares hold. */
    public long held() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns a share that holds nothing yet.
     *
     * @param caller the same for all shares of a caller; null if it is not counted for one
     * @param session the same for all shares of a session; null if it is not counted for one
     */
    public Share share(@Nullable Object caller, @Nullable Object session) {
        return new Share(caller, session, Kind.USUAL);
    }

    /** Returns a share that holds nothing yet, and for which rule 1 limits no caller. */
    public Share sparedShare(Object caller) {
        return new Share(caller, null, Kind.SPARED);
    }

    /** Returns a share that holds nothing yet, and that is a session of its own. */
    public Share sessionShare(Object caller) {
        return new Share(caller, null, Kind.SESSION);
    }

    private enum Kind {
        USUAL,
        SPARED,
        SESSION
    }

    /** Has waiting shares check their conditions. */
    public void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static long of(Map<Object, Long> keys, @Nullable Object key) {
        return key == null ? 0 : keys.getOrDefault(key, 0L);
    }

    private static void add(Map<Object, Long> keys, @Nullable Object key, long amount) {
        if (key != null && amount != 0) {
            keys.merge(key, amount, (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
        }
    }

    private boolean fits(long before, long amount, long most, long beside) {
        return before + amount <= most || (takesOversized && before <= beside);
    }

    private boolean isLittle(long before, long amount, long left) {
        long most = dividesReserve ? Math.max(little, Math.ceilDiv(left, SHARE)) : little;
        return reserve > 0 && amount <= left && before + amount <= most;
    }

    /** The part of a quota that one holder has. Thread-safe. */
    public final class Share {
        private final @Nullable Object caller;
        private final @Nullable Object session;
        private final Kind kind;
        private long own; // guarded by lock

        private Share(@Nullable Object caller, @Nullable Object session, Kind kind) {
            this.caller = caller;
            this.session = session;
            this.kind = kind;
        }

        /** Takes an amount, or nothing; never blocks. */
        public boolean take(long amount) {
            lock.lock();
            try {
                return takes(amount);
            } finally {
                lock.unlock();
            }
        }

        /**
         * Takes an amount once a rule allows it.
         *
         * @param patience how long to wait for that
         * @param mayWait whether to wait on, asked under the lock before each wait
         * @return false, and nothing taken, if no rule does in time, or the thread is interrupted,
         *     which stays so
         */
        public boolean take(long amount, Duration patience, BooleanSupplier mayWait) {
            lock.lock();
            try {
                return await(() -> takes(amount), patience, mayWait);
            } finally {
                lock.unlock();
            }
        }

        /** Takes an amount in place of another that this share holds; nothing changes if not. */
        public boolean replace(long given, long amount) {
            lock.lock();
            try {
                add(-given);
                boolean taken = takes(amount);
                if (!taken) {
                    add(given);
                }
                return taken;
            } finally {
                lock.unlock();
            }
        }

        /** Takes an amount without a rule. */
        public void force(long amount) {
            lock.lock();
            try {
                add(amount);
            } finally {
                lock.unlock();
            }
        }

        /**
         * Waits until the limit of the session has room for an amount; takes nothing.
         *
         * @return false if it has none in time, or the thread is interrupted, which stays so
         */
        public boolean awaitSession(long amount, Duration patience) {
            lock.lock();
            try {
                return await(() -> fitsSession(amount), patience, () -> true);
            } finally {
                lock.unlock();
            }
        }

        /** Gives back an amount, at most all. */
        public void release(long amount) {
            lock.lock();
            try {
                long less = Math.min(amount, own);
                if (less != 0) {
                    add(-less);
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }

        /** Gives back everything. */
        public void release() {
            release(Long.MAX_VALUE);
        }

        /** Returns how much this share holds. */
        public long held() {
            lock.lock();
            try {
                return own;
            } finally {
                lock.unlock();
            }
        }

        private boolean await(BooleanSupplier done, Duration patience, BooleanSupplier mayWait) {
            long left = patience.toNanos();
            try {
                while (!done.getAsBoolean()) {
                    if (left <= 0 || !mayWait.getAsBoolean()) {
                        return false;
                    }
                    left = changed.awaitNanos(left);
                }
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        private boolean takes(long amount) {
            long ofCaller = of(callers, caller);
            boolean allowed =
                    hasRoom(ofCaller, amount)
                            || (caller != null
                                    && isLittle(ofCaller, amount, limit + reserve - held))
                            || isLittleSession(ofCaller, amount);
            if (allowed) {
                add(amount);
            }
            return allowed;
        }

        private boolean hasRoom(long ofCaller, long amount) {
            return fits(held, amount, limit, reserve)
                    && (kind == Kind.SPARED || fits(ofCaller, amount, perCaller, little))
                    && fitsSession(amount);
        }

        private boolean fitsSession(long amount) {
            return fits(ofSession(), amount, perSession, little);
        }

        private boolean isLittleSession(long ofCaller, long amount) {
            long left = Math.min(limit - held, perCaller - ofCaller) + reserve / 2;
            boolean hasSession = session != null || kind == Kind.SESSION;
            return hasSession && isLittle(ofSession(), amount, left);
        }

        private long ofSession() {
            return kind == Kind.SESSION ? own : of(sessions, session);
        }

        private void add(long amount) {
            own += amount;
            held += amount;
            Quota.add(callers, caller, amount);
            Quota.add(sessions, session, amount);
        }
    }
}
