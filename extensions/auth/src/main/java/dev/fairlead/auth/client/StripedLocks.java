package dev.fairlead.auth.client;

import dev.fairlead.protocol.time.Durations;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Turns of the threads of this process: one at a time for a server. There are a few locks for all
 * servers, so some of these wait for each other.
 */
final class StripedLocks {
    /** How long others may take: twice the longest refresh, with a nonce for DPoP. */
    static final Duration PATIENCE = Duration.ofSeconds(120);

    /** How many locks there are. */
    private static final int PLACES = 16;

    private final ReentrantLock[] places =
            Stream.generate(ReentrantLock::new).limit(PLACES).toArray(ReentrantLock[]::new);

    /** Returns the index of the lock of a server. */
    static int place(URI server) {
        return Math.floorMod(server.hashCode(), PLACES);
    }

    /**
     * Waits for the turn.
     *
     * @throws IOException if it does not come in time
     */
    TokenStore.Lease take(URI server, Duration patience) throws IOException, InterruptedException {
        ReentrantLock lock = places[place(server)];
        if (!lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            throw late(patience);
        }
        return lock::unlock;
    }

    static IOException late(Duration patience) {
        return new IOException(
                "others were renewing the login for longer than " + Durations.text(patience));
    }
}
