package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Elements that a peer has chosen so that they have the same hash. A table of them compares each
 * with all others, which takes minutes for some thousands, unless they have an order.
 */
final class EqualHashes {
    /** The most elements of an array with one hash; chance gives far fewer. */
    static final int MOST = 500;

    private EqualHashes() {}

    /** The elements with one hash. */
    private static final class Alike {
        private final @Nullable Object first;
        private int count;

        Alike(@Nullable Object first) {
            this.first = first;
        }
    }

    /**
     * Returns whether more elements than {@link #MOST} have the same hash. Elements with an order,
     * and those that repeat the first one of their hash, do not count.
     */
    static boolean areTooMany(Collection<? extends @Nullable Object> elements) {
        return elements.size() > MOST
                && areTooMany((Iterable<? extends @Nullable Object>) elements);
    }

    /** Returns the same for elements whose number is not known. */
    static boolean areTooMany(Iterable<? extends @Nullable Object> elements) {
        return most(elements) > MOST;
    }

    /** Returns the number of elements with one hash, at most one more than {@link #MOST}. */
    static int most(Iterable<? extends @Nullable Object> elements) {
        Map<Integer, Alike> byHash = new HashMap<>();
        int most = 0;
        for (Object element : elements) {
            if (element instanceof Comparable) {
                continue;
            }
            Alike alike =
                    byHash.computeIfAbsent(Objects.hashCode(element), hash -> new Alike(element));
            boolean isRepeated = alike.count > 0 && Objects.equals(alike.first, element);
            if (!isRepeated) {
                most = Math.max(most, ++alike.count);
            }
            if (most > MOST) {
                break;
            }
        }
        return most;
    }
}
