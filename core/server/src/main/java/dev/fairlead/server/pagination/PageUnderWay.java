package dev.fairlead.server.pagination;

import dev.fairlead.protocol.Caller;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.PageSource;
import dev.fairlead.server.handler.SourcePage;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * A page of a list while it fills up, from features that stand for themselves and from those that
 * list others. It is full when an item did not fit any more.
 *
 * @param <W> the type of the items
 */
public final class PageUnderWay<W> {
    private final String list;
    private final int size;
    private final List<W> items = new ArrayList<>();
    private final Catalog.@Nullable Entry<?> start; // null: the beginning of the list
    private final String within; // where to continue within the start
    private final Deque<String> before = new ArrayDeque<>(); // digests, the last feature first
    private final Deque<Catalog.Entry<?>> listed = new ArrayDeque<>(); // the last feature first
    private String lastWithin;
    private boolean full;

    /**
     * Begins a page, after the nearest feature before it that still exists. A feature that is
     * hidden from the caller counts as gone, since a client can make cursors for any name.
     *
     * @param catalogs all features of the list
     * @throws dev.fairlead.jsonrpc.JsonRpcException {@code -32602} if the cursor is invalid
     */
    PageUnderWay(
            String list,
            @Nullable String cursor,
            Caller caller,
            int size,
            List<Catalog<?>> catalogs) {
        this.list = list;
        this.size = size;
        Catalog.Entry<?> found = null;
        String inside = "";
        if (cursor != null) {
            Cursor from = Cursor.decode(list, cursor);
            before.addAll(from.features());
            found = find(before.getFirst(), caller, catalogs);
            inside = found == null ? "" : from.within();
            while (found == null && before.size() > 1) {
                before.removeFirst();
                found = find(before.getFirst(), caller, catalogs);
            }
        }
        this.start = found;
        this.within = inside;
        this.lastWithin = inside;
    }

    private static Catalog.@Nullable Entry<?> find(
            String digest, Caller caller, List<Catalog<?>> catalogs) {
        for (Catalog<?> catalog : catalogs) {
            for (Catalog.Entry<?> entry : catalog.entries()) {
                if (entry.digest().equals(digest) && entry.feature().isVisibleTo(caller)) {
                    return entry;
                }
            }
        }
        return null;
    }

    /** Returns the features that are due: also the one within which the last page ended. */
    public <T extends Feature> List<Catalog.Entry<T>> due(Catalog<T> catalog) {
        if (start == null) {
            return catalog.entries();
        }
        return catalog.after(within.isEmpty() ? start.number() : start.number() - 1);
    }

    /** Returns where to continue within a feature that lists others; empty at its beginning. */
    public String within(Catalog.Entry<?> feature) {
        return start != null && feature.number() == start.number() ? within : "";
    }

    boolean isFull() {
        return full;
    }

    /** Adds an item. */
    public void add(Catalog.Entry<?> feature, String position, W item) {
        if (items.size() >= size) {
            full = true;
        } else {
            items.add(item);
            listed(feature, position);
        }
    }

    /**
     * Adds a page of a source. It is not joined with other items before it, since it cannot be cut.
     */
    void addPage(Catalog.Entry<?> feature, PageSource<W> source, Call call) throws Exception {
        if (!items.isEmpty()) {
            full = true;
            return;
        }
        String position = within(feature);
        SourcePage<W> page = source.page(position.isEmpty() ? null : position.substring(1), call);
        items.addAll(page.items());
        full = page.nextCursor() != null;
        listed(feature, full ? "+" + page.nextCursor() : "");
    }

    private void listed(Catalog.Entry<?> feature, String position) {
        if (feature != listed.peekFirst()) {
            listed.addFirst(feature);
        }
        if (listed.size() > Cursor.MAX_FEATURES) {
            listed.removeLast();
        }
        lastWithin = position;
    }

    public List<W> items() {
        return items;
    }

    /** Returns where the next page begins; null on the last. */
    public @Nullable String nextCursor() {
        return full ? new Cursor(list, last(), lastWithin).encode() : null;
    }

    /** The digests of the last features, each once: a page may begin within the one before. */
    private List<String> last() {
        return Stream.concat(listed.stream().map(Catalog.Entry::digest), before.stream())
                .distinct()
                .limit(Cursor.MAX_FEATURES)
                .toList();
    }
}
