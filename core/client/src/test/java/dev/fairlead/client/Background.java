package dev.fairlead.client;

import com.google.errorprone.annotations.CheckReturnValue;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A call on a thread of its own.
 *
 * @param <T> the type of its result
 */
final class Background<T> {
    private final FutureTask<T> task;
    final Thread thread;

    private Background(Callable<T> call) {
        task = new FutureTask<>(call);
        thread = Thread.ofVirtual().name("test-call").start(task);
    }

    @CheckReturnValue
    static <T> Background<T> call(Callable<T> call) {
        return new Background<>(call);
    }

    /** Returns the result of the call, or throws its exception. */
    T result() throws Exception {
        try {
            return task.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        } catch (TimeoutException e) {
            throw new AssertionError("the call does not end", e);
        }
    }

    void cancel() {
        task.cancel(true);
    }

    void interrupt() {
        thread.interrupt();
    }
}
