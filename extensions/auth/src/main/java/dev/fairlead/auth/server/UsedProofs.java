package dev.fairlead.auth.server;

import dev.fairlead.protocol.OneTimeValues;
import dev.fairlead.protocol.limits.Quota;
import dev.fairlead.protocol.platform.Sha256;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The proofs that were used, so that none is used twice (RFC 9449, 11.1). Each is kept for as long
 * as it could be repeated. When there is no room for another one, it is to be refused: forgetting
 * one instead would let that one be repeated. Each key has its own limit, so that the holder of one
 * cannot take the room of all others. Subjects have shares, since one can have tokens of many keys.
 * Where nodes share the proofs, the first use at this node counts if it is the first at all nodes.
 * Safe for use by several threads.
 */
final class UsedProofs {
    private static final System.Logger LOGGER = System.getLogger(UsedProofs.class.getName());

    /** The limit of proofs of all keys, beside the reserve of the quota. */
    static final int MAX = 160_000;

    /** The limit of proofs of one key. */
    static final int MAX_OF_KEY = 20_000;

    private final Duration kept;
    private final Quota all;
    private final int maxOfKey;
    private final @Nullable OneTimeValues shared; // null: this process alone

    /** The uses by digests of the proofs' ids, in the order of their ends; guarded by this. */
    private final Map<String, Use> uses = new LinkedHashMap<>();

    /** The keys that have uses; guarded by this. */
    private final Map<String, Key> keys = new HashMap<>();

    /**
     * @param kept how long a proof can be repeated after its first use, at most
     */
    UsedProofs(Duration kept, int max, int maxOfKey, @Nullable OneTimeValues shared) {
        this.kept = kept;
        this.all = Quota.shared(max);
        this.maxOfKey = maxOfKey;
        this.shared = shared;
    }

    /** The result for a proof. */
    enum Outcome {
        FIRST,
        REPEATED,
        /** This key has used too many. */
        KEY_FULL,
        /** The subject of this key, or all together, have used too many. */
        FULL
    }

    private record Use(Key key, Instant end) {}

    /**
     * A key, and how many proofs of it are kept.
     *
     * @param proofs in the share of the subject that has used the first of them
     */
    private record Key(String thumbprint, Quota.Share proofs) {}

    /**
     * Uses a proof.
     *
     * @param thumbprint of its key
     * @param subject of its token
     * @param id its {@code jti}
     */
    Outcome use(String thumbprint, Object subject, String id, Instant now) {
        String use = Sha256.of(thumbprint + ' ' + id);
        Outcome here = useHere(thumbprint, subject, use, now);
        if (here != Outcome.FIRST || shared == null) {
            return here;
        }
        try {
            return shared.use(use, kept) ? Outcome.FIRST : Outcome.REPEATED;
        } catch (RuntimeException e) {
            LimitedLog.failed(LOGGER, Level.WARNING, "", e, "A proof of a key was not stored");
            return Outcome.FULL;
        }
    }

    private synchronized Outcome useHere(
            String thumbprint, Object subject, String use, Instant now) {
        forget(now);
        if (uses.containsKey(use)) {
            return Outcome.REPEATED;
        }
        Key key = keys.get(thumbprint);
        if (key == null) {
            key = new Key(thumbprint, all.share(subject, null));
        }
        if (key.proofs.held() >= maxOfKey) {
            return Outcome.KEY_FULL;
        }
        if (!key.proofs.take(1)) {
            return Outcome.FULL;
        }
        keys.put(thumbprint, key);
        uses.put(use, new Use(key, now.plus(kept)));
        return Outcome.FIRST;
    }

    private void forget(Instant now) {
        Iterator<Use> oldest = uses.values().iterator();
        while (oldest.hasNext()) {
            Use next = oldest.next();
            if (!next.end().isBefore(now)) {
                return;
            }
            oldest.remove();
            next.key().proofs.release(1);
            if (next.key().proofs.held() == 0) {
                keys.remove(next.key().thumbprint);
            }
        }
    }
}
