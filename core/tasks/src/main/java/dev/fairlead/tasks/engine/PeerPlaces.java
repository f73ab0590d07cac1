package dev.fairlead.tasks.engine;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Counts the running tasks of each anonymous peer over all its sessions, so that no peer takes all
 * places by opening many sessions, each of which has a limit of its own. Thread-safe.
 */
final class PeerPlaces {
    private final ConcurrentMap<Object, Integer> taken = new ConcurrentHashMap<>();

    /**
     * Takes a place; false if the peer has reached its limit. Without a peer nothing is counted.
     */
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

    /** Gives a place back. */
    void leave(@Nullable Object peer) {
        if (peer != null) {
            taken.computeIfPresent(
                    peer, (key, places) -> places == 1 ? null : Integer.valueOf(places - 1));
        }
    }
}
