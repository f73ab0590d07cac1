package dev.fairlead.server;

import dev.fairlead.server.internal.Cursor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Cuts lists into pages.
 *
 * @param size how many items a page has at most
 */
record Paging(int size) {
    /**
     * One page.
     *
     * @param nextCursor where the next one begins; null on the last
     */
    record Page<W>(List<W> items, @Nullable String nextCursor) {}

    /**
     * The page of a catalog at a cursor.
     *
     * @param list the name of the list, so that cursors of others are refused
     * @param view what is listed of a feature; null where it is hidden
     */
    <T, W> Page<W> page(
            String list,
            @Nullable String cursor,
            Catalog<T> catalog,
            Function<T, @Nullable W> view) {
        long last = cursor == null ? 0 : Cursor.decode(list, cursor).feature();
        List<W> items = new ArrayList<>();
        for (Catalog.Entry<T> entry : catalog.after(last)) {
            W item = view.apply(entry.feature());
            if (item == null) {
                continue;
            }
            if (items.size() == size) {
                return new Page<>(items, new Cursor(list, last, "").encode());
            }
            items.add(item);
            last = entry.number();
        }
        return new Page<>(items, null);
    }
}
