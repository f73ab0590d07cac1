package dev.fairlead.protocol.time;

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
        boolean another = true;
        while (another) {
            try {
                another = step.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable e) { // without this thread its work would never be done again
                failed(logger, peer, what, e);
            }
        }
    }

    /** Logs a failure, and pauses so that one that lasts takes no processor. */
    private static void failed(Logger logger, Object peer, String what, Throwable cause) {
        LimitedLog.failed(logger, Level.ERROR, peer, cause, what);
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
