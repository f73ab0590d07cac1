package dev.fairlead.server.handler;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One page of a {@link PageSource}.
 *
 * @param items the items of the page
 * @param nextCursor where the next page begins; null on the last
 */
public record SourcePage<T>(List<T> items, @Nullable String nextCursor) {
    public SourcePage {
        items = List.copyOf(items);
    }

    /** The only or last page. */
    public static <T> SourcePage<T> last(List<T> items) {
        return new SourcePage<>(items, null);
    }
}
