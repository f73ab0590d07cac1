package dev.fairlead.client.calls;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.base.PaginatedResult;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Reads all pages of a list.
 *
 * @param maxPages how many pages at most
 * @param maxItems how many items at most
 * @param warnings takes a method and the problem of its cursors
 */
public record PageReader(int maxPages, int maxItems, BiConsumer<String, String> warnings) {
    /** Reads one page. */
    @FunctionalInterface
    public interface Page<R> {
        R read(@Nullable String cursor) throws InterruptedException;
    }

    /**
     * Follows the cursors, each as it came, to the page that has none. A cursor that comes again
     * ends the list, and so does an empty one that the server refuses: sloppy servers mean their
     * last page. Items that have come twice by then are there once.
     *
     * @throws InvalidResultException if the list is too long
     */
    public <R extends PaginatedResult, T> List<T> all(
            String method, Page<R> page, Function<R, List<T>> items) throws InterruptedException {
        List<T> all = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        do {
            R result = next(method, page, cursor);
            if (result == null) {
                return List.copyOf(all);
            }
            all.addAll(items.apply(result));
            cursor = result.nextCursor();
            if (cursor != null && !cursors.add(cursor)) {
                warnings.accept(method, "repeats a cursor, which ends the list");
                return List.copyOf(new LinkedHashSet<>(all));
            }
            if (all.size() > maxItems || (cursor != null && cursors.size() >= maxPages)) {
                throw new InvalidResultException(
                        method + " has more than " + maxPages + " pages or " + maxItems + " items",
                        null);
            }
        } while (cursor != null);
        return List.copyOf(all);
    }

    /** Reads a page; null if its cursor is empty and refused. */
    private <R extends PaginatedResult> @Nullable R next(
            String method, Page<R> page, @Nullable String cursor) throws InterruptedException {
        try {
            return page.read(cursor);
        } catch (JsonRpcException e) {
            if (cursor == null || !cursor.isEmpty()) {
                throw e;
            }
            warnings.accept(method, "refuses its own empty cursor, which ends the list");
            return null;
        }
    }
}
