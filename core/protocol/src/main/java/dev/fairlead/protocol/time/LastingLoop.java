package dev.fairlead.protocol.time;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Loops of threads that live as long as a server or a client. If a step throws, even an {@link
 * OutOfMemoryError}, that is {@linkplain LimitedLog logged}, and the next step follows after a
 * pause: a process whose threads have ended looks alive and does nothing. Allocates nothing itself.
 */
public final class LastingLoop {
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /**
     * Classes that the handlers of exceptions name in this loop and in the steps of the library. A
     * handler whose class is looked up for the first time without memory catches nothing.
     */
    @SuppressWarnings("unused") // loading them is the purpose
    private static final List<Class<?>> CAUGHT =
            List.of(
                    InterruptedException.class,
                    OutOfMemoryError.class,
                    VirtualMachineError.class,
                    Throwable.class,
                    Error.class,
                    RuntimeException.class,
                    IOException.class);

    /** The number of failures in a row from which on work counts as failing. */
    private static final int IN_A_ROW = 10;

    /** How long work counts as failing after its latest failure. */
    private static final long FAILING_NANOS = Duration.ofSeconds(30).toNanos();

    private static volatile @Nullable String failing; // the latest work that failed so often
    private static volatile long failedAt;

    private LastingLoop() {}

    /** One step of the work of a thread. */
    @FunctionalInterface
    public interface Step {
        /** Returns whether another step follows. */
        boolean run() throws Exception;
    }

    /**
     * Creates the task of a thread that runs such a loop, see {@link #run}. Create it with the
     * object that owns the thread: a thread that starts without memory could not.
     */
    public static Runnable task(Logger logger, Object peer, String what, Step step) {
        return () -> run(logger, peer, what, step);
    }

    /**
     * Repeats a step until it returns false or throws an {@link InterruptedException}, which leaves
     * the thread interrupted.
     *
     * @param peer the peer, see {@link LimitedLog}
     * @param what the work, for the log: a constant
     */
    public static void run(Logger logger, Object peer, String what, Step step) {
        int failures = 0;
        boolean another = true;
        while (another) {
            try {
                another = step.run();
                failures = succeeded(failures, what);
            } catch (InterruptedException e) {
                succeeded(failures, what);
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable e) { // without this thread its work would never be done again
                failures = failed(failures, what);
                failed(logger, peer, what, e);
            }
        }
    }

    /**
     * Counts a failure of lasting work, which keeps the number itself.
     *
     * @param before the number of failures in a row before this one
     * @param what the work: a constant
     * @return the number with this one
     */
    public static int failed(int before, String what) {
        if (before + 1 >= IN_A_ROW) {
            failedAt = System.nanoTime();
            failing = what;
        }
        return before == Integer.MAX_VALUE ? before : before + 1;
    }

    /**
     * Counts a success of lasting work, or its end.
     *
     * @param before the number of failures in a row before it
     * @param what the work: the same object as for {@link #failed}
     * @return 0
     */
    @SuppressWarnings("ReferenceEquality") // one constant
    public static int succeeded(int before, String what) {
        if (before >= IN_A_ROW && failing == what) {
            failing = null;
        }
        return 0;
    }

    /**
     * Returns the log message of work of this process that keeps failing: at least ten times in a
     * row, and within the last 30 s. Null if there is none.
     */
    public static @Nullable String failing() {
        return failing(System.nanoTime());
    }

    /** Returns the time of the latest failure that counted as one of failing work. */
    static long failedAt() {
        return failedAt;
    }

    static @Nullable String failing(long now) {
        String what = failing;
        return what != null && now - failedAt < FAILING_NANOS ? what : null;
    }

    /** Logs a failure, and pauses so that one that lasts takes no processor. */
    private static void failed(Logger logger, Object peer, String what, Throwable cause) {
        LimitedLog.failed(logger, Level.ERROR, peer, cause, what);
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
