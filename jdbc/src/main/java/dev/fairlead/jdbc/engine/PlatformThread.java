package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs what reaches a driver from the thread of a caller. SQLite is native code, which would keep
 * the carrier of a virtual thread from running any other.
 */
public final class PlatformThread {
    private PlatformThread() {}

    /**
     * Calls on this thread, or on a new one if this is virtual; returns once the call has ended,
     * also when interrupted. An interrupt stays set.
     *
     * @param work throws no checked exception but {@link SQLException}
     */
    public static <T extends @Nullable Object> T call(Callable<T> work) throws SQLException {
        FutureTask<T> task = new FutureTask<>(work);
        if (Thread.currentThread().isVirtual()) {
            Thread.ofPlatform().daemon().name("fairlead-jdbc-call").start(task);
        } else {
            task.run();
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static SQLException failure(@Nullable Throwable cause) {
        switch (cause) {
            case SQLException e -> {
                return e;
            }
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> throw new AssertionError(cause);
        }
    }
}
