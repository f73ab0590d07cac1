package dev.fairlead.server.pagination;

import dev.fairlead.protocol.Caller;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.handler.PageSource;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A source of features as it stands in the catalog.
 *
 * @param prefix how the names or URIs of all its features begin
 * @param definition finds a feature by its name; null if they are only listed
 * @param <T> the definitions it lists
 * @param <I> the request that uses one
 * @param <O> the result of that
 */
public record ServerSource<T, I, O>(
        String prefix,
        Predicate<Caller> visibleTo,
        PageSource<T> pages,
        @Nullable Handler<String, Optional<T>> definition,
        Handler<I, O> handler)
        implements Feature {
    @Override
    public String name() {
        return prefix;
    }

    /** Returns which callers may use the source: it requires no scopes. */
    @Override
    public Access access() {
        return new Access(visibleTo, Set.of());
    }

    /**
     * Of the sources that a name may belong to, the one with the longest prefix; null where there
     * is none.
     */
    public static <T, I, O> @Nullable ServerSource<T, I, O> find(
            Catalog<ServerSource<T, I, O>> sources, String name, Caller caller) {
        ServerSource<T, I, O> best = null;
        for (var entry : sources.entries()) {
            ServerSource<T, I, O> source = entry.feature();
            boolean better = best == null || source.prefix().length() > best.prefix().length();
            if (better && name.startsWith(source.prefix()) && source.isVisibleTo(caller)) {
                best = source;
            }
        }
        return best;
    }
}
