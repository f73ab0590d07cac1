package dev.fairlead.console.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The latest things of a kind, in a fixed number of places. Thread-safe, without locks.
 *
 * @param <T> the things
 */
final class Ring<T> {
    private final AtomicReferenceArray<T> places;
    private final AtomicInteger next = new AtomicInteger();

    Ring(int size) {
        places = new AtomicReferenceArray<>(size);
    }

    /** Adds a thing in the place of the oldest. */
    void add(T thing) {
        places.set(Math.floorMod(next.getAndIncrement(), places.length()), thing);
    }

    /** Returns the things, the latest first. */
    List<T> latest() {
        List<T> all = new ArrayList<>(places.length());
        int newest = next.get() - 1;
        for (int i = 0; i < places.length(); i++) {
            T thing = places.get(Math.floorMod(newest - i, places.length()));
            if (thing != null) {
                all.add(thing);
            }
        }
        return all;
    }
}
