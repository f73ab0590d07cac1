package dev.fairlead.auth.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The turn among processes: the lock of a file. Ends with the process, however that ends. The
 * threads of a process have had their turn before, since they share the lock.
 */
final class FileTurn implements TokenStore.Lease {
    private static final Duration LOOK = Duration.ofMillis(20);

    private final FileChannel file;

    private FileTurn(FileChannel file) {
        this.file = file;
    }

    /**
     * Waits for the turn.
     *
     * @param file is closed with it
     * @throws IOException if it does not come in time
     */
    static FileTurn take(FileChannel file, Duration patience)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try {
            FileLock lock = file.tryLock();
            while (lock == null) { // file locks do not notify waiters
                if (System.nanoTime() - begun > patience.toNanos()) {
                    throw StripedLocks.late(patience);
                }
                TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
                lock = file.tryLock();
            }
            return new FileTurn(file);
        } catch (IOException | InterruptedException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a lock cannot be let go", e);
        }
    }
}
