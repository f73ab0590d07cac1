package dev.fairlead.tasks.engine;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The places of runs that each anonymous peer takes, in all its sessions. No peer has all: it opens
 * as many sessions as it likes, and each would have a limit of its own. Thread-safe.
 */
final class PeerPlaces {
    private final ConcurrentMap<Object, Integer> taken = new ConcurrentHashMap<>();

    /** Takes a place; false if the peer has no more. Without a peer nothing is counted. */
    boolean take(@Nullable Object peer, int most) {
        if (peer == null) {
            return true;
        }
        boolean[] done = new boolean[1];
        taken.compute(
                peer,
                (key, before) -> {
                    int places = before == null ? 0 : before;
                    done[0] = places < most;
                    return done[0] ? Integer.valueOf(places + 1) : before;
                });
        return done[0];
    }

    /** Gives one back. */
    void leave(@Nullable Object peer) {
        if (peer != null) {
            taken.computeIfPresent(
                    peer, (key, places) -> places == 1 ? null : Integer.valueOf(places - 1));
        }
    }
}
