package dev.fairlead.server.pagination;

import dev.fairlead.protocol.Caller;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The features of one kind, immutable, in the order in which they were declared. Each has a number
 * that it keeps, also when it is replaced, so that the pages of a list are stable.
 *
 * @param <T> the feature
 */
public final class Catalog<T extends Feature> {
    private final String kind;
    private final Map<String, Entry<T>> byName;
    private final List<Entry<T>> entries;

    /** A feature in its place. */
    public static final class Entry<T extends Feature> {
        private final long number;
        private final T feature;
        private final String kind;
        private @Nullable String digest; // threads that make it at the same time make the same

        private Entry(long number, T feature, String kind) {
            this.number = number;
            this.feature = feature;
            this.kind = kind;
        }

        /** Orders the features in this process. */
        public long number() {
            return number;
        }

        public T feature() {
            return feature;
        }

        /** Names the feature in cursors, the same in every process. */
        String digest() {
            String known = digest;
            if (known == null) {
                known = Cursor.digest(kind, feature.name());
                digest = known;
            }
            return known;
        }
    }

    private Catalog(String kind, Map<String, Entry<T>> byName) {
        this.kind = kind;
        this.byName = byName;
        List<Entry<T>> sorted = new ArrayList<>(byName.values());
        sorted.sort((one, other) -> Long.compare(one.number(), other.number()));
        this.entries = List.copyOf(sorted);
    }

    /** Returns a catalog of no features. */
    public static <T extends Feature> Catalog<T> empty(String kind) {
        return new Catalog<>(kind, Map.of());
    }

    public @Nullable T find(String name) {
        Entry<T> entry = byName.get(name);
        return entry == null ? null : entry.feature();
    }

    /** Returns the feature of a name that a caller may see; null if there is none. */
    public @Nullable T find(String name, Caller caller) {
        T feature = find(name);
        return feature == null || !feature.isVisibleTo(caller) ? null : feature;
    }

    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /** All, by number. */
    public List<Entry<T>> entries() {
        return entries;
    }

    /** Returns the entries behind this number. */
    List<Entry<T>> after(long number) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(middle).number() <= number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return entries.subList(low, entries.size());
    }

    public Editor<T> edit() {
        return new Editor<>(this);
    }

    /** A change under way. */
    public static final class Editor<T extends Feature> {
        private final Catalog<T> before;
        private @Nullable Map<String, Entry<T>> changed;

        private Editor(Catalog<T> before) {
            this.before = before;
        }

        private Map<String, Entry<T>> map() {
            if (changed == null) {
                changed = new HashMap<>(before.byName);
            }
            return changed;
        }

        /** Adds a feature with this number, or in the place of the one with its name. */
        public void put(T feature, long number) {
            Entry<T> old = map().get(feature.name());
            long place = old == null ? number : old.number();
            map().put(feature.name(), new Entry<>(place, feature, before.kind));
        }

        public void remove(String name) {
            if (map().remove(name) == null) {
                changed = before.byName.equals(changed) ? null : changed;
            }
        }

        public boolean isChanged() {
            return changed != null;
        }

        public Catalog<T> done() {
            return changed == null ? before : new Catalog<>(before.kind, changed);
        }
    }
}
