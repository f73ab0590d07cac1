package dev.fairlead.console.watch;

import dev.fairlead.json.JsonObject;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Function;

/**
 * The rows of a view of many things. It counts all of them, and keeps those that are shown. For one
 * thread.
 *
 * @param <T> the things
 */
final class FirstRows<T> {
    private final Comparator<T> order;
    private final PriorityQueue<T> first; // its head is the last of them
    private int total;

    /**
     * @param order the order of the view
     */
    FirstRows(Comparator<T> order) {
        this.order = order;
        this.first = new PriorityQueue<>(order.reversed());
    }

    void add(T thing) {
        total++;
        first.add(thing);
        if (first.size() > Snapshot.MAX_ROWS) {
            first.remove();
        }
    }

    /** Returns the view. */
    Snapshot snapshot(Function<T, Snapshot.Row> row) {
        return new Snapshot(
                JsonObject.EMPTY, total, first.stream().sorted(order).map(row).toList());
    }
}
