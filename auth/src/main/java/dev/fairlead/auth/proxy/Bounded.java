package dev.fairlead.auth.proxy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * What is kept for a time, and only so much of it: beyond that the oldest goes first. Safe for use
 * by several threads.
 */
final class Bounded<V> {
    private record Kept<V>(V value, Instant until) {
        boolean hasEnded(Instant now) {
            return !now.isBefore(until);
        }
    }

    private final int max;
    private final Duration life;
    private final Clock clock;

    /** In the order in which they end, since all are kept for the same time. */
    private final LinkedHashMap<String, Kept<V>> kept = new LinkedHashMap<>();

    Bounded(int max, Duration life, Clock clock) {
        this.max = max;
        this.life = life;
        this.clock = clock;
    }

    /** Keeps a value from now on, in the place of the one of this key. */
    synchronized void put(String key, V value) {
        Instant now = clock.instant(); // read once: by this time the new one has not ended
        kept.remove(key);
        kept.put(key, new Kept<>(value, now.plus(life)));
        Iterator<Kept<V>> oldest = kept.values().iterator();
        Kept<V> first = oldest.next();
        while (kept.size() > max || first.hasEnded(now)) {
            oldest.remove();
            first = oldest.next();
        }
    }

    synchronized Optional<V> find(String key) {
        return Optional.ofNullable(kept.get(key))
                .filter(found -> !found.hasEnded(clock.instant()))
                .map(Kept::value);
    }

    /** Removes a value: of several that take it, one gets it. */
    synchronized Optional<V> take(String key) {
        Optional<V> found = find(key);
        kept.remove(key);
        return found;
    }

    /** Puts a value in the place of another, and keeps it no longer than that. */
    synchronized void replace(String key, V value) {
        kept.computeIfPresent(key, (same, found) -> new Kept<>(value, found.until));
    }

    synchronized int size() {
        return kept.size();
    }
}
