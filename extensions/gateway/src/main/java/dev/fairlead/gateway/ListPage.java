package dev.fairlead.gateway;

import dev.fairlead.client.group.GroupItem;
import dev.fairlead.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A page of a list that is held as a whole. Its cursor is the number of the first item, so a list
 * that changes between two pages may repeat an item or lack one: the client is notified of the
 * change.
 *
 * @param nextCursor null on the last page
 */
record ListPage<T>(List<T> items, @Nullable String nextCursor) {
    /**
     * The page that begins at a cursor.
     *
     * @param size how many items it has at most
     */
    static <T> ListPage<T> of(List<GroupItem<T>> all, @Nullable String cursor, int size) {
        int from = cursor == null ? 0 : start(cursor);
        int first = Math.min(from, all.size());
        int end = Math.min(first + size, all.size());
        return new ListPage<>(
                all.subList(first, end).stream().map(GroupItem::definition).toList(),
                end < all.size() ? String.valueOf(end) : null);
    }

    private static int start(String cursor) {
        try {
            int start = Integer.parseInt(cursor);
            if (start >= 0) {
                return start;
            }
        } catch (NumberFormatException e) {
            // as below
        }
        throw JsonRpcException.invalidParams("Invalid cursor: " + cursor);
    }
}
