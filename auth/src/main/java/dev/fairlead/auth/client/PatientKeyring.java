package dev.fairlead.auth.client;

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
 * A keyring that is waited for only so long. It may not heed that nobody waits any more, so it is
 * asked one question at a time, and the next one waits as well.
 */
final class PatientKeyring implements Keyring {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Keyring keyring;
    private final Duration patience;
    private final Semaphore turn = new Semaphore(1);

    PatientKeyring(Keyring keyring, Duration patience) {
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
        long end = System.nanoTime() + patience.toNanos();
        try {
            if (!turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            FutureTask<T> task = new FutureTask<>(step);
            Thread.ofPlatform()
                    .name("mcp-keyring")
                    .daemon()
                    .start(
                            () -> {
                                try {
                                    task.run();
                                } finally {
                                    turn.release();
                                }
                            });
            return result(task, end);
        } catch (TimeoutException e) {
            throw new IOException(
                    "the keyring has not answered within "
                            + patience
                            + "; perhaps it waits to be unlocked",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the wait for the keyring was interrupted", e);
        }
    }

    private static <T extends @Nullable Object> T result(FutureTask<T> task, long end)
            throws IOException, InterruptedException, TimeoutException {
        try {
            return task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } finally {
            task.cancel(true);
        }
    }
}
