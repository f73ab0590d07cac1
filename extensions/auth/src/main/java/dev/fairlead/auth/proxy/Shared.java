package dev.fairlead.auth.proxy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps values for a time, with a limit for all and one for each owner, such as an address or a
 * person. No owner displaces values of another that has fewer. Safe for use by several threads.
 */
final class Shared<V> {
    private record Kept<V>(Object owner, V value, Instant until) {
        boolean hasEnded(Instant now) {
            return !now.isBefore(until);
        }
    }

    private final Share share;
    private final Duration life;
    private final Clock clock;

    /** The values in the order in which they end, since all are kept for the same time. */
    private final LinkedHashMap<String, Kept<V>> kept = new LinkedHashMap<>();

    /** The keys of each owner, the oldest first. */
    private final Map<Object, LinkedHashSet<String>> owned = new HashMap<>();

    /** The owners by how many keys they have. */
    private final TreeMap<Integer, LinkedHashSet<Object>> owners = new TreeMap<>();

    /** The latest time at which this was used. */
    private Instant latest = Instant.MIN;

    Shared(Share share, Duration life, Clock clock) {
        this.share = share;
        this.life = life;
        this.clock = clock;
    }

    /**
     * How many values are kept.
     *
     * @param ofOwner of one owner
     * @param inAll of all owners together
     */
    record Share(int ofOwner, int inAll) {
        Share {
            if (ofOwner < 1 || inAll < ofOwner) {
                throw new IllegalArgumentException(
                        "a limit must be at least 1, and the one of all at least that of one, but"
                                + " they were "
                                + ofOwner
                                + " and "
                                + inAll);
            }
        }
    }

    /**
     * Keeps a value if the owner has room for it; see {@link #put(Object, int, String, Object)}.
     */
    boolean put(Object owner, String key, V value) {
        return put(owner, share.ofOwner, key, value);
    }

    /**
     * Keeps a value from now on if the owner has room for it. Where all is full, the newest value
     * of the owner with the most makes room, unless that is this owner.
     *
     * @param most values of this owner
     * @return whether it is kept
     */
    synchronized boolean put(Object owner, int most, String key, V value) {
        Instant now = now(); // read once: by this time the new one has not ended
        removeEnded(now);
        int count = count(owner);
        if (count >= most) {
            return false;
        }
        if (kept.size() >= share.inAll) {
            if (count + 1 >= owners.lastKey()) {
                return false;
            }
            remove(keysOf(owners.lastEntry().getValue().getFirst()).getLast());
        }
        add(owner, key, value, now);
        return true;
    }

    /**
     * Keeps a value from now on, in the place of the one of this key. Where the owner has its
     * share, its oldest value makes room; where all is full, the oldest of the owner with the most.
     * A key that several owners use belongs to the one with fewer, so that none with many can end
     * it.
     */
    synchronized void putForOldest(Object owner, String key, V value) {
        Instant now = now();
        removeEnded(now);
        Kept<V> before = kept.get(key);
        Object belongsTo =
                before != null && count(before.owner) <= count(owner) ? before.owner : owner;
        remove(key);
        if (count(belongsTo) >= share.ofOwner) {
            remove(keysOf(belongsTo).getFirst());
        } else if (kept.size() >= share.inAll) {
            remove(keysOf(owners.lastEntry().getValue().getFirst()).getFirst());
        }
        add(belongsTo, key, value, now);
    }

    /**
     * Returns the time; if the clock was set back, it does not run backwards, so that all values
     * end in their order.
     */
    private Instant now() {
        Instant now = clock.instant();
        if (now.isBefore(latest)) {
            Instant end = now.plus(life);
            kept.replaceAll(
                    (key, found) ->
                            found.until.isAfter(end)
                                    ? new Kept<>(found.owner, found.value, end)
                                    : found);
        }
        latest = now;
        return now;
    }

    private int count(Object owner) {
        LinkedHashSet<String> keys = owned.get(owner);
        return keys == null ? 0 : keys.size();
    }

    /** Returns the keys of an owner that has some. */
    private LinkedHashSet<String> keysOf(Object owner) {
        return Objects.requireNonNull(owned.get(owner), "the owner has keys");
    }

    private void removeEnded(Instant now) {
        while (!kept.isEmpty() && kept.firstEntry().getValue().hasEnded(now)) {
            remove(kept.firstEntry().getKey());
        }
    }

    private void add(Object owner, String key, V value, Instant now) {
        kept.put(key, new Kept<>(owner, value, now.plus(life)));
        LinkedHashSet<String> keys = owned.computeIfAbsent(owner, one -> new LinkedHashSet<>());
        recount(owner, keys.size(), keys.size() + 1);
        keys.add(key);
    }

    private void remove(String key) {
        Kept<V> removed = kept.remove(key);
        if (removed == null) {
            return;
        }
        LinkedHashSet<String> keys = keysOf(removed.owner);
        recount(removed.owner, keys.size(), keys.size() - 1);
        keys.remove(key);
        if (keys.isEmpty()) {
            owned.remove(removed.owner);
        }
    }

    private void recount(Object owner, int before, int after) {
        owners.computeIfPresent(
                before,
                (same, several) -> {
                    several.remove(owner);
                    return several.isEmpty() ? null : several;
                });
        if (after > 0) {
            owners.computeIfAbsent(after, same -> new LinkedHashSet<>()).add(owner);
        }
    }

    synchronized Optional<V> find(String key) {
        Instant now = now();
        return Optional.ofNullable(kept.get(key))
                .filter(found -> !found.hasEnded(now))
                .map(Kept::value);
    }

    /** Removes a value: of several that take it, one gets it. */
    synchronized Optional<V> take(String key) {
        Optional<V> found = find(key);
        remove(key);
        return found;
    }

    /** Puts a value in the place of another, and keeps it no longer than that. */
    synchronized void replace(String key, V value) {
        kept.computeIfPresent(key, (same, found) -> new Kept<>(found.owner, value, found.until));
    }

    synchronized int size() {
        return kept.size();
    }
}
