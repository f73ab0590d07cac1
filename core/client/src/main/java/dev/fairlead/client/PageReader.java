package dev.fairlead.client;

import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.base.PaginatedResult;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads all pages of a list.
 *
 * @param maxPages how many pages at most
 * @param maxItems how many items at most
 */
record PageReader(int maxPages, int maxItems) {
    /** Reads one page. */
    @FunctionalInterface
    interface Page<R> {
        R read(@Nullable String cursor) throws InterruptedException;
    }

    /**
     * Follows the cursors, each as it came, to the page that has none.
     *
     * @throws InvalidResultException if a cursor comes again, or the list is too long
     */
    <R extends PaginatedResult, T> List<T> all(
            String method, Page<R> page, Function<R, List<T>> items) throws InterruptedException {
        List<T> all = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        do {
            R result = page.read(cursor);
            all.addAll(items.apply(result));
            cursor = result.nextCursor();
            if (cursor != null && !cursors.add(cursor)) {
                throw new InvalidResultException(
                        "The pages of " + method + " go in a circle", null);
            }
            if (all.size() > maxItems || (cursor != null && cursors.size() >= maxPages)) {
                throw new InvalidResultException(
                        method + " has more than " + maxPages + " pages or " + maxItems + " items",
                        null);
            }
        } while (cursor != null);
        return List.copyOf(all);
    }
}
