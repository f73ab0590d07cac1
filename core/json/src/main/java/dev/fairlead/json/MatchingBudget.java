package dev.fairlead.json;

import java.util.concurrent.locks.LockSupport;

/**
 * Bounds the cost of matching all texts with patterns while one value is checked or read. For use
 * by one thread.
 */
final class MatchingBudget {
    private static final long STEPS = 10_000_000;
    private static final int STEPS_PER_CHARACTER = 16;

    /** Texts that are matched with a pattern, each of which may end without a step. */
    private static final int MATCHES = 10_000_000;

    /** How many steps are made between two looks at the interrupt status of the thread. */
    private static final int UNINTERRUPTIBLE = 4096;

    /** How many looks are made before other virtual threads have a turn: less than 1 ms. */
    private static final int LOOKS = 16;

    private long left = STEPS;
    private int matches = MATCHES;
    private int looks;
    private long untilLook = UNINTERRUPTIBLE;

    /**
     * Begins to match a text of this many characters with a pattern: grants their additional cost.
     *
     * @throws BoundedPattern.TooCostly if there were too many, or if the thread is interrupted
     */
    void begin(int characters) {
        left += (long) STEPS_PER_CHARACTER * characters;
        if (--matches < 0) {
            throw new BoundedPattern.TooCostly();
        }
        count(1);
    }

    /**
     * Spends steps.
     *
     * @throws BoundedPattern.TooCostly if there are not enough, or if the thread is interrupted
     */
    void spend(long steps) {
        left -= steps;
        if (left < 0) {
            throw new BoundedPattern.TooCostly();
        }
        count(steps);
    }

    private void count(long steps) {
        untilLook -= steps;
        if (untilLook < 0) {
            untilLook = UNINTERRUPTIBLE;
            if (Thread.currentThread().isInterrupted()) {
                throw new BoundedPattern.TooCostly();
            }
            if (++looks % LOOKS == 0) {
                giveTurn();
            }
        }
    }

    /**
     * Leaves the carrier to other virtual threads; nothing else takes it from this one. A yield is
     * not enough: as long as its carrier has others that yield, threads that are started elsewhere
     * wait. After a timed wait this thread queues behind them.
     */
    private static void giveTurn() {
        if (Thread.currentThread().isVirtual()) {
            LockSupport.parkNanos(1);
        }
    }
}
