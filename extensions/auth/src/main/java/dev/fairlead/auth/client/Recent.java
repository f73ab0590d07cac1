package dev.fairlead.auth.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps a number of values: the ones used last. Safe for use by several threads.
 *
 * @param <K> their keys
 * @param <V> the values
 */
final class Recent<K, V> {
    /** How many are kept. */
    static final int MOST = 1000;

    private final Map<K, V> kept = // guarded by itself
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                    return size() > MOST;
                }
            };

    Optional<V> find(K key) {
        synchronized (kept) {
            return Optional.ofNullable(kept.get(key));
        }
    }

    /** Returns the kept value, else a new one. */
    V get(K key, Function<K, V> fresh) {
        synchronized (kept) {
            V value = kept.get(key);
            if (value == null) {
                value = fresh.apply(key);
                kept.put(key, value);
            }
            return value;
        }
    }

    void put(K key, V value) {
        synchronized (kept) {
            kept.put(key, value);
        }
    }
}
