package dev.fairlead.server;

import dev.fairlead.server.internal.Cursor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * A page of a list while it fills up, from features that stand for themselves and from those that
 * list others. It is full when something did not fit any more.
 *
 * @param <W> what is listed
 */
final class PageUnderWay<W> {
    private final String list;
    private final int size;
    private final Cursor start;
    private final List<W> items = new ArrayList<>();
    private Cursor last;
    private boolean full;

    /** Begins at a cursor; fails where it is none. */
    PageUnderWay(String list, @Nullable String cursor, int size) {
        this.list = list;
        this.size = size;
        this.start = cursor == null ? new Cursor(list, 0, "") : Cursor.decode(list, cursor);
        this.last = start;
    }

    /** The features behind this number are due: also the one that the last page ended within. */
    long from() {
        return start.within().isEmpty() ? start.feature() : start.feature() - 1;
    }

    /** Where to go on within a feature that lists others; empty at its beginning. */
    String within(long number) {
        return number == start.feature() ? start.within() : "";
    }

    boolean isFull() {
        return full;
    }

    /** Adds an item. */
    void add(long number, String within, W item) {
        if (items.size() >= size) {
            full = true;
        } else {
            items.add(item);
            last = new Cursor(list, number, within);
        }
    }

    /**
     * Adds a page of a source. It is not joined with other items before it, since it cannot be cut.
     */
    void addPage(long number, PageSource<W> source, Call call) throws Exception {
        if (!items.isEmpty()) {
            full = true;
            return;
        }
        String within = within(number);
        SourcePage<W> page = source.page(within.isEmpty() ? null : within.substring(1), call);
        items.addAll(page.items());
        full = page.nextCursor() != null;
        last = new Cursor(list, number, full ? "+" + page.nextCursor() : "");
    }

    List<W> items() {
        return items;
    }

    /** Where the next page begins; null on the last. */
    @Nullable String nextCursor() {
        return full ? last.encode() : null;
    }
}
