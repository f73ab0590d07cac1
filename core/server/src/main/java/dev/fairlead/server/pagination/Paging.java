package dev.fairlead.server.pagination;

import dev.fairlead.protocol.Caller;
import dev.fairlead.server.handler.Call;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Cuts lists into pages.
 *
 * @param size how many items a page has at most
 */
public record Paging(int size) {
    /** An element in the order of a list; it adds its items to a page. */
    public record Listed<W>(long number, Adding<W> adding) {}

    /** Adds items to a page. */
    @FunctionalInterface
    public interface Adding<W> {
        void to(PageUnderWay<W> page) throws Exception;
    }

    /** Begins a page of a list that consists of the features of these catalogs, for a caller. */
    public <W> PageUnderWay<W> begin(
            String list, @Nullable String cursor, Caller caller, Catalog<?>... catalogs) {
        return new PageUnderWay<>(list, cursor, caller, size, List.of(catalogs));
    }

    /** Fills a page in the order of the numbers. */
    public static <W> PageUnderWay<W> fill(PageUnderWay<W> page, List<Listed<W>> listed)
            throws Exception {
        List<Listed<W>> inOrder = new ArrayList<>(listed);
        inOrder.sort((one, other) -> Long.compare(one.number(), other.number()));
        for (Listed<W> next : inOrder) {
            next.adding().to(page);
            if (page.isFull()) {
                break;
            }
        }
        return page;
    }

    /**
     * Returns the additions of a catalog to a page, for a caller.
     *
     * @param view the listed form of a feature; null if it is hidden
     */
    public static <T extends Feature, W> List<Listed<W>> each(
            PageUnderWay<W> page,
            Catalog<T> catalog,
            Caller caller,
            Function<T, @Nullable W> view) {
        List<Listed<W>> listed = new ArrayList<>();
        for (Catalog.Entry<T> entry : page.due(catalog)) {
            T feature = entry.feature();
            W item = feature.isVisibleTo(caller) ? view.apply(feature) : null;
            if (item != null) {
                listed.add(new Listed<>(entry.number(), to -> to.add(entry, "", item)));
            }
        }
        return listed;
    }

    /** Returns the additions of sources to a page. */
    public static <W> List<Listed<W>> sources(
            PageUnderWay<W> page, Catalog<? extends ServerSource<W, ?, ?>> catalog, Call call) {
        List<Listed<W>> listed = new ArrayList<>();
        for (var entry : page.due(catalog)) {
            if (entry.feature().isVisibleTo(call.caller())) {
                listed.add(
                        new Listed<>(
                                entry.number(),
                                to -> to.addPage(entry, entry.feature().pages(), call)));
            }
        }
        return listed;
    }
}
