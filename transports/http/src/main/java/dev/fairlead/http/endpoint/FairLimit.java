package dev.fairlead.http.endpoint;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A limit that many clients share fairly. Each may take what is free up to the limit, so that a
 * single client gets all of it. Once the limit is reached, a reserve of a quarter remains for those
 * that hold little: the first half of it for a session that holds little although its caller holds
 * much, all of it for a caller that holds little. To hold little is less than an eighth of what is
 * left of the reserve, so that the reserve itself cannot be used up by a few.
 *
 * <p>Safe for use by several threads; the lock guards the counts.
 */
public final class FairLimit {
    /** The reserve is this part of the limit; a limit below has none. */
    static final int RESERVE = 4;

    /** A share of the reserve is this part of what is left of it. */
    static final int SHARE = 8;

    private final int max;
    private final Map<Object, Integer> byCaller = new HashMap<>();
    private final Map<Object, Integer> bySession = new HashMap<>();
    private long used;

    FairLimit(int max) {
        this.max = max;
    }

    /** The limit without its reserve. */
    int max() {
        return max;
    }

    /** How many places are taken. */
    synchronized long used() {
        return used;
    }

    /** How many places a caller has taken. */
    synchronized int used(Source source) {
        return byCaller.getOrDefault(source.caller(), 0);
    }

    /**
     * The callers that hold the most, and at least as much as a source does.
     *
     * @param except callers that are left out
     * @return those that hold equally much; empty if there are none
     */
    synchronized Set<Object> heaviest(Source source, Set<Object> except) {
        int most = byCaller.getOrDefault(source.caller(), 0);
        Set<Object> heaviest = new HashSet<>();
        for (Map.Entry<Object, Integer> entry : byCaller.entrySet()) {
            if (entry.getValue() < most || except.contains(entry.getKey())) {
                continue;
            }
            if (entry.getValue() > most) {
                most = entry.getValue();
                heaviest.clear();
            }
            heaviest.add(entry.getKey());
        }
        return heaviest;
    }

    /**
     * Takes places, all or none; never blocks.
     *
     * @param count how many, at least one
     * @return empty if there are not so many for this source
     */
    synchronized Optional<Permits> take(Source source, int count) {
        if (!isFree(source, count)) {
            return Optional.empty();
        }
        add(source, count);
        return Optional.of(new Permits(source, count));
    }

    private boolean isFree(Source source, int count) {
        long reserve = max / RESERVE;
        return used + count <= max
                || isLittle(byCaller, source.caller(), count, max + reserve)
                || isLittle(bySession, source.session(), count, max + reserve / 2);
    }

    private boolean isLittle(
            Map<Object, Integer> counts, @Nullable Object key, int count, long ceiling) {
        long left = ceiling - used;
        return key != null
                && count <= left
                && (counts.getOrDefault(key, 0) - 1L + count) * SHARE < left;
    }

    private void add(Source source, int count) {
        used += count;
        add(byCaller, source.caller(), count);
        if (source.session() != null) {
            add(bySession, source.session(), count);
        }
    }

    private static void add(Map<Object, Integer> counts, Object key, int count) {
        counts.merge(key, count, (a, b) -> a + b == 0 ? null : a + b);
    }

    /** Permits that were taken. Any thread gives them back. */
    public final class Permits {
        private final Source source;
        private final int count;
        private boolean released;

        private Permits(Source source, int count) {
            this.source = source;
            this.count = count;
        }

        public Source source() {
            return source;
        }

        /** Gives the places back; does nothing the second time. */
        public void release() {
            synchronized (FairLimit.this) {
                if (!released) {
                    released = true;
                    add(source, -count);
                }
            }
        }
    }
}
