package dev.fairlead.jdbc.engine;

import dev.fairlead.protocol.time.Uninterruptibly;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * Runs calls that reach a driver from the thread of a caller. SQLite is native code, which would
 * keep the carrier of a virtual thread from running any other.
 */
public final class PlatformThread {
    private PlatformThread() {}

    /**
     * Calls on this thread, or on a new one if this is virtual; returns once the call has ended,
     * also when interrupted. An interrupt stays set.
     */
    public static <T extends @Nullable Object> T call(SqlCall<T> work) throws SQLException {
        FutureTask<T> task = new FutureTask<>(work::make);
        if (Thread.currentThread().isVirtual()) {
            Thread thread = Thread.ofPlatform().daemon().name("fairlead-jdbc-call").start(task);
            Uninterruptibly.await(thread::join);
        } else {
            task.run();
        }
        if (task.state() == Future.State.FAILED) {
            throw failure(task.exceptionNow());
        }
        return task.resultNow();
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
