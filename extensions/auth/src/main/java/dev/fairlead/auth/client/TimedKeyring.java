package dev.fairlead.auth.client;

import dev.fairlead.protocol.time.Durations;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A keyring with a timeout. It may ignore interruption, so there is one call at a time, and none
 * while one that timed out is still running.
 */
final class TimedKeyring implements Keyring {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Keyring keyring;
    private final Duration patience;
    private final Semaphore turn = new Semaphore(1);

    /** The thread of the last call that timed out; while it runs, no other call starts. */
    private volatile @Nullable Thread givenUp;

    TimedKeyring(Keyring keyring, Duration patience) {
        this.keyring = keyring;
        this.patience = patience;
    }

    @Override
    public byte[] read() throws IOException {
        return Objects.requireNonNull(within(keyring::read));
    }

    @Override
    public void write(byte[] key) throws IOException {
        within(
                () -> {
                    keyring.write(key);
                    return null;
                });
    }

    private <T extends @Nullable Object> T within(Callable<T> step) throws IOException {
        long limit = TimeUnit.NANOSECONDS.convert(patience);
        long end = System.nanoTime() + limit;
        Thread last = givenUp;
        try {
            if ((last != null && last.isAlive()) || !turn.tryAcquire(limit, TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            FutureTask<T> task = new FutureTask<>(step);
            return result(task, start(task), end);
        } catch (TimeoutException e) {
            throw new IOException(
                    "the keyring has not answered within "
                            + Durations.text(patience)
                            + "; perhaps it waits to be unlocked",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the wait for the keyring was interrupted", e);
        }
    }

    /** Starts the task on a thread of its own, which releases the permit. */
    private Thread start(FutureTask<?> task) {
        Thread thread =
                Thread.ofPlatform()
                        .name("mcp-keyring")
                        .daemon()
                        .unstarted(
                                () -> {
                                    try {
                                        task.run();
                                    } finally {
                                        turn.release();
                                    }
                                });
        boolean isStarted = false;
        try {
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                turn.release();
            }
        }
        return thread;
    }

    private <T extends @Nullable Object> T result(FutureTask<T> task, Thread thread, long end)
            throws IOException, InterruptedException, TimeoutException {
        try {
            return task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            givenUp = thread;
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } finally {
            task.cancel(true);
        }
    }
}
