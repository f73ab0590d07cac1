package dev.fairlead.auth.proxy;

import dev.fairlead.protocol.OwnedValues;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The values of one kind in the memory of this process. Safe for use by several threads. */
final class InMemoryValues implements OwnedValues {
    private record Kept(String owner, byte[] value, Instant until) {
        boolean hasEnded(Instant now) {
            return !now.isBefore(until);
        }
    }

    /** A store in the memory of this process. */
    static final class Store implements OwnedValues.Source {
        private final Map<String, OwnedValues> kinds = new ConcurrentHashMap<>();
        private final Clock clock;

        Store(Clock clock) {
            this.clock = clock;
        }

        @Override
        public OwnedValues open(String name, Share share, Duration kept) {
            return kinds.computeIfAbsent(name, same -> new InMemoryValues(share, kept, clock));
        }
    }

    private final Share share;
    private final Duration life;
    private final Clock clock;

    /** The values in the order in which they end, since all are kept for the same time. */
    private final LinkedHashMap<String, Kept> kept = new LinkedHashMap<>();

    /** The keys of each owner, the oldest first. */
    private final Map<String, LinkedHashSet<String>> owned = new HashMap<>();

    /** The owners by how many keys they have. */
    private final TreeMap<Integer, LinkedHashSet<String>> owners = new TreeMap<>();

    /** The latest time at which this was used. */
    private Instant latest = Instant.MIN;

    InMemoryValues(Share share, Duration life, Clock clock) {
        this.share = share;
        this.life = life;
        this.clock = clock;
    }

    @Override
    public synchronized boolean put(String owner, int most, String key, byte[] value) {
        Instant now = now(); // read once: by this time the new one has not ended
        removeEnded(now);
        int count = count(owner);
        if (count >= most) {
            return false;
        }
        if (kept.size() >= share.inAll()) {
            if (count + 1 >= owners.lastKey()) {
                return false;
            }
            remove(keysOf(owners.lastEntry().getValue().getFirst()).getLast());
        }
        add(owner, key, value, now);
        return true;
    }

    @Override
    public synchronized void putForOldest(String owner, String key, byte[] value) {
        Instant now = now();
        removeEnded(now);
        Kept before = kept.get(key);
        String belongsTo =
                before != null && count(before.owner) <= count(owner) ? before.owner : owner;
        remove(key);
        if (count(belongsTo) >= share.ofOwner()) {
            remove(keysOf(belongsTo).getFirst());
        } else if (kept.size() >= share.inAll()) {
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
                                    ? new Kept(found.owner, found.value, end)
                                    : found);
        }
        latest = now;
        return now;
    }

    private int count(String owner) {
        LinkedHashSet<String> keys = owned.get(owner);
        return keys == null ? 0 : keys.size();
    }

    /** Returns the keys of an owner that has some. */
    private LinkedHashSet<String> keysOf(String owner) {
        return Objects.requireNonNull(owned.get(owner), "the owner has keys");
    }

    private void removeEnded(Instant now) {
        while (!kept.isEmpty() && kept.firstEntry().getValue().hasEnded(now)) {
            remove(kept.firstEntry().getKey());
        }
    }

    private void add(String owner, String key, byte[] value, Instant now) {
        kept.put(key, new Kept(owner, value, now.plus(life)));
        LinkedHashSet<String> keys = owned.computeIfAbsent(owner, one -> new LinkedHashSet<>());
        recount(owner, keys.size(), keys.size() + 1);
        keys.add(key);
    }

    private void remove(String key) {
        Kept removed = kept.remove(key);
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

    private void recount(String owner, int before, int after) {
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

    @Override
    public synchronized Optional<byte[]> find(String key) {
        Instant now = now();
        return Optional.ofNullable(kept.get(key))
                .filter(found -> !found.hasEnded(now))
                .map(Kept::value);
    }

    @Override
    public synchronized Optional<byte[]> take(String key) {
        Optional<byte[]> found = find(key);
        remove(key);
        return found;
    }

    @Override
    public synchronized boolean replace(String key, byte[] before, byte[] after) {
        if (find(key).filter(value -> Arrays.equals(value, before)).isEmpty()) {
            return false;
        }
        kept.computeIfPresent(key, (same, found) -> new Kept(found.owner, after, found.until));
        return true;
    }

    synchronized int size() {
        return kept.size();
    }
}
