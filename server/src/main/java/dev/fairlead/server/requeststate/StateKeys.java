package dev.fairlead.server.requeststate;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Where the keys of states come from. Thread-safe. */
public final class StateKeys {
    private static final System.Logger LOGGER = System.getLogger(StateKeys.class.getName());

    /** How long a file is not looked at again. */
    private static final long CHECK = Duration.ofSeconds(5).toNanos();

    private final @Nullable Path file;
    private final boolean shared;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile KeyRing ring;
    private volatile @Nullable Long checked; // null: not yet
    private byte[] content; // guarded by reading
    private boolean broken; // guarded by reading

    private StateKeys(@Nullable Path file, byte[] content, KeyRing ring, boolean shared) {
        this.file = file;
        this.content = content;
        this.ring = ring;
        this.shared = shared;
    }

    /**
     * Keys in a file, which is read again within 10 seconds of a change.
     *
     * @throws UncheckedIOException if it cannot be read
     * @throws IllegalArgumentException if it does not hold keys
     */
    public static StateKeys in(Path file) {
        try {
            byte[] content = KeyRing.bytes(file);
            return new StateKeys(file, content, KeyRing.read(file, content), true);
        } catch (IOException e) {
            throw new UncheckedIOException("the keys of request states cannot be read", e);
        }
    }

    /**
     * These keys.
     *
     * @throws IllegalArgumentException if there are none, or one has fewer than 32 bytes
     */
    public static StateKeys of(List<byte[]> keys) {
        return new StateKeys(null, new byte[0], KeyRing.of(keys), true);
    }

    /** A key of this process alone. */
    public static StateKeys ofProcess() {
        return new StateKeys(null, new byte[0], KeyRing.random(), false);
    }

    /** Returns whether other processes may have the same keys. */
    boolean isShared() {
        return shared;
    }

    /** The keys at the moment. */
    KeyRing ring(LongSupplier nanos) {
        long now = nanos.getAsLong();
        Long last = checked;
        if (file != null && (last == null || now - last >= CHECK) && reading.tryLock()) {
            try {
                checked = now;
                readAgain(file);
            } finally {
                reading.unlock();
            }
        }
        return ring;
    }

    private void readAgain(Path source) {
        try {
            byte[] now = KeyRing.bytes(source);
            if (!Arrays.equals(now, content)) {
                ring = KeyRing.read(source, now);
                content = now;
                LOGGER.log(Level.INFO, "The keys of request states were read again");
            }
            broken = false;
        } catch (IOException | IllegalArgumentException e) {
            LOGGER.log(
                    broken ? Level.DEBUG : Level.WARNING,
                    "The keys of request states stay as they were, since their file cannot be"
                            + " used: {0}",
                    e.getMessage());
            broken = true;
        }
    }
}
