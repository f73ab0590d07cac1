package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/**
 * A piece of work on its way: the caller that created it waits for it, and it has the outcome so
 * far.
 */
final class Operation<T extends @Nullable Object> {
    private final String key;
    private final Work<T> work;
    private final boolean single;
    private final Thread caller = Thread.currentThread();
    private volatile boolean ended;
    private @Nullable T value; // these two are written before ended, and read after it
    private @Nullable Throwable failure;

    /**
     * Makes an operation of work.
     *
     * @param single whether it is one statement, which takes effect or not as it is
     */
    Operation(Work<T> work, boolean single) {
        this("", work, single);
    }

    /**
     * Makes an operation of work.
     *
     * @param key by which those that share a transaction are ordered
     * @param single whether it is one statement, which takes effect or not as it is
     */
    Operation(String key, Work<T> work, boolean single) {
        this.key = key;
        this.work = work;
        this.single = single;
    }

    String key() {
        return key;
    }

    boolean isSingle() {
        return single;
    }

    /** Does the work; {@link #complete} then notifies the caller. */
    void run(SqlSession session) throws SQLException {
        value = work.on(session);
        failure = null;
    }

    /** Fails this operation alone, not the others of its group. */
    void failed(Exception of) {
        failure = of;
    }

    void complete() {
        ended = true;
        LockSupport.unpark(caller);
    }

    /** The changes were rolled back. */
    void fail(Throwable of) {
        failure = of;
        complete();
    }

    /** The thread that has it failed; called by that thread. */
    void failUnlessEnded(Throwable of) {
        if (!ended) {
            fail(of);
        }
    }

    /** Waits for the end, however often the caller is interrupted; an interrupt stays set. */
    @SuppressWarnings("NullAway") // without a failure there is a value, null where T may be
    T await() throws SQLException {
        boolean interrupted = false;
        while (!ended) {
            LockSupport.park(this); // few frames: virtual threads keep the room that they took
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw asOfCaller(failure);
        }
        return value;
    }

    /** Many callers may get the same failure, so each gets an exception of its own. */
    private static SQLException asOfCaller(Throwable failure) {
        if (failure instanceof SQLException sql) {
            return new SQLException(sql.getMessage(), sql.getSQLState(), sql.getErrorCode(), sql);
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        return new SQLException("a statement could not be run: " + failure, failure);
    }
}
