package dev.fairlead.client;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.lifecycle.InitializeResult;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the clients of this process found out about the eras of servers. That a server needs a
 * handshake is kept for an hour, since it may be replaced by a newer one; that it needs none until
 * that no longer holds. Beyond 256 servers the one that was not used for longest is forgotten.
 */
final class KnownServers {
    private static final int CAPACITY = 256;
    private static final Duration HANDSHAKE = Duration.ofHours(1);

    /** What a server declared in more bytes is not kept. */
    private static final int MAX_DECLARED = 64 << 10;

    /** Of this process. */
    static final KnownServers SHARED = new KnownServers();

    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private final Map<Object, Verdict> verdicts = new LinkedHashMap<>(16, 0.75f, true);

    /** What was found out about a server. */
    sealed interface Verdict {
        /** Its sessions begin with a handshake. */
        record Handshake(Instant until) implements Verdict {}

        /** It needs no handshake, and declared this. */
        record PerRequest(Agreed agreed) implements Verdict {}

        /** It needs no handshake; what it declares must be asked for. */
        record Undeclared() implements Verdict {}

        /** Returns the era that the server is expected to speak. */
        default Era era() {
            return this instanceof Handshake ? Era.HANDSHAKE : Era.PER_REQUEST;
        }
    }

    /** Returns what is known of a server. */
    Optional<Verdict> find(Object place, Instant now) {
        lock.lock();
        try {
            Verdict verdict = verdicts.get(place);
            if (verdict instanceof Verdict.Handshake known && now.isAfter(known.until())) {
                verdicts.remove(place);
                return Optional.empty();
            }
            return Optional.ofNullable(verdict);
        } finally {
            lock.unlock();
        }
    }

    /** Remembers what was agreed on with a server, unless it declared very much. */
    void remember(Object place, Agreed agreed, Instant now) {
        if (agreed.isPerRequest()
                && JsonCodec.of(InitializeResult.class).write(agreed.server()).size()
                        > MAX_DECLARED) {
            return;
        }
        Verdict verdict =
                agreed.isPerRequest()
                        ? new Verdict.PerRequest(agreed)
                        : new Verdict.Handshake(now.plus(HANDSHAKE));
        lock.lock();
        try {
            verdicts.put(place, verdict);
            if (verdicts.size() > CAPACITY) {
                var oldest = verdicts.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what is known of a server, since it no longer holds. */
    void forget(Object place) {
        lock.lock();
        try {
            verdicts.remove(place);
        } finally {
            lock.unlock();
        }
    }
}
