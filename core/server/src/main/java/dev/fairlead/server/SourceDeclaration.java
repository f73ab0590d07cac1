package dev.fairlead.server;

import dev.fairlead.protocol.Caller;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.features.FeatureChange;
import dev.fairlead.server.features.FeatureKind;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.handler.PageSource;
import dev.fairlead.server.handler.SourcePage;
import dev.fairlead.server.pagination.ServerSource;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A source of tools or resources between its prefix and its {@link #handle}. Not thread-safe.
 *
 * @param <F> the features that {@link #handle} returns to continue the chain
 * @param <T> the definitions that it lists
 * @param <I> the request that uses one
 * @param <O> the result of that
 */
public final class SourceDeclaration<F, T, I, O> {
    private final Chain<F> chain;
    private final FeatureKind<ServerSource<T, I, O>> kind;
    private final String prefix;
    private final Function<T, String> name;
    private Predicate<Caller> visibleTo = Access.ALL_CALLERS;
    private @Nullable PageSource<T> pages;
    private @Nullable Handler<String, Optional<T>> definition;

    SourceDeclaration(
            Chain<F> chain,
            FeatureKind<ServerSource<T, I, O>> kind,
            String prefix,
            Function<T, String> name) {
        this.chain = chain;
        this.kind = kind;
        this.prefix = Objects.requireNonNull(prefix, "prefix");
        this.name = name;
        chain.begin(kind.subject(prefix));
    }

    /**
     * Hides the whole source from callers that do not pass this test. Several tests must all pass.
     */
    public SourceDeclaration<F, T, I, O> visibleTo(Predicate<Caller> test) {
        visibleTo = visibleTo.and(Objects.requireNonNull(test, "test"));
        return this;
    }

    /** How the features are listed; without it they can be used and are not listed. */
    public SourceDeclaration<F, T, I, O> list(PageSource<T> source) {
        pages = Objects.requireNonNull(source, "source");
        return this;
    }

    /**
     * Finds the definition of a tool by its name. Where a client of revision 2026-07-28 calls the
     * tool over HTTP, the server compares the headers of the call with its arguments, as {@code
     * x-mcp-header} in the input schema declares them, before the handler runs. Without it, or for
     * a tool that is not found, nothing is compared. It may throw as the handler does. Resources
     * have no such headers and are not looked up.
     */
    public SourceDeclaration<F, T, I, O> find(Handler<String, Optional<T>> lookup) {
        definition = Objects.requireNonNull(lookup, "lookup");
        return this;
    }

    /**
     * Gives the features their body and ends the declaration. Only the prefix was checked before:
     * the handler checks whether there is such a feature, whether the caller may use it and whether
     * its arguments fit.
     */
    public F handle(Handler<I, O> handler) {
        Objects.requireNonNull(handler, "handler");
        PageSource<T> listed =
                pages == null ? (cursor, call) -> SourcePage.last(List.of()) : checked(pages);
        return chain.end(
                FeatureChange.add(
                        kind, new ServerSource<>(prefix, visibleTo, listed, definition, handler)));
    }

    /** Checks that listed items are found again when they are used. */
    private PageSource<T> checked(PageSource<T> source) {
        return (cursor, call) -> {
            SourcePage<T> page = source.page(cursor, call);
            for (T item : page.items()) {
                if (!name.apply(item).startsWith(prefix)) {
                    throw new IllegalStateException(
                            kind.subject(prefix)
                                    + " lists "
                                    + name.apply(item)
                                    + ", which does not begin with "
                                    + prefix);
                }
            }
            return page;
        };
    }
}
