package dev.fairlead.protocol.time;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A clock and its timers. Every time limit of the library is a timer here, so that a test can move
 * the clock.
 */
public interface Timers extends AutoCloseable {
    /** An action that runs unless it is cancelled first. */
    @FunctionalInterface
    interface Timer {
        /** Cancels the action; does nothing if it has run. */
        void cancel();
    }

    Clock clock();

    /** Returns a time in nanoseconds to measure durations; that of the system never goes back. */
    default long nanoTime() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, clock().instant());
    }

    /**
     * Runs an action once after a delay, on the one thread of these timers: it must be short and
     * never block. If it ends with an {@link OutOfMemoryError}, it runs again a moment later.
     *
     * @return the timer, to cancel the action
     */
    Timer schedule(Duration delay, Runnable action);

    /** Cancels all actions and ends the thread. */
    @Override
    void close();

    /** Returns these timers for code that does not own them: closing those does nothing. */
    default Timers borrowed() {
        return new BorrowedTimers(this);
    }

    /** Returns the moment after a duration, or the last possible one. */
    static Instant later(Instant start, Duration duration) {
        try {
            return start.plus(duration);
        } catch (ArithmeticException | DateTimeException e) {
            return Instant.MAX;
        }
    }

    /**
     * Returns timers of the system's clock with a daemon thread of their own.
     *
     * @param name the name of the thread
     */
    static Timers system(String name) {
        LimitedLog.prepare();
        return new DeferredTimers(new SystemTimers(name));
    }

    /**
     * Timers of a borrower, whose close leaves the owned ones open: its own timers are cancelled by
     * then, or do nothing.
     */
    class BorrowedTimers implements Timers {
        private final Timers owned;

        BorrowedTimers(Timers owned) {
            this.owned = owned;
        }

        @Override
        public Clock clock() {
            return owned.clock();
        }

        @Override
        public long nanoTime() {
            return owned.nanoTime();
        }

        @Override
        public Timer schedule(Duration delay, Runnable action) {
            return owned.schedule(delay, action);
        }

        @Override
        public void close() {
            // the owner's
        }
    }
}
