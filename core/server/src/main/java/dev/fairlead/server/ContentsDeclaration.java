package dev.fairlead.server;

import dev.fairlead.protocol.caching.CacheHint;
import dev.fairlead.protocol.caching.CacheScope;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.features.FeatureKind;
import dev.fairlead.server.pagination.Feature;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * The common part of the declarations of resources and templates: how long clients may keep the
 * contents. Not thread-safe.
 *
 * @param <F> the features on which the chain continues after the declaration
 * @param <T> the feature
 * @param <D> the declaration itself
 */
abstract class ContentsDeclaration<F, T extends Feature, D extends ContentsDeclaration<F, T, D>>
        extends Declaration<F, T, D> {
    private CacheHint cacheHint = CacheHint.NONE;

    ContentsDeclaration(Chain<F> chain, FeatureKind<T> kind, String uri) {
        super(chain, kind, uri);
    }

    /**
     * Lets clients of revision 2026-07-28 keep the contents for a time: {@code ttlMs}, 0 unless
     * set. They are kept for the caller that read them, unless {@link #cachePublic} is set. A
     * client that listens to the resource drops them when it changes. A handler that returns a
     * {@link ReadResourceResult} with a hint of its own decides for that result. Older revisions
     * have no hints.
     *
     * @throws IllegalArgumentException if the time is negative
     * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
     *     Caching
     */
    public D cacheFor(Duration ttl) {
        cacheHint = CacheHint.of(ttl, cacheHint.scope());
        return self();
    }

    /**
     * Lets caches give the contents to every caller, whichever read them. {@code handle} throws
     * {@link IllegalArgumentException} then if {@code visibleTo} or {@code requireScopes} keeps
     * some callers from them.
     */
    public D cachePublic() {
        cacheHint = cacheHint.withScope(CacheScope.PUBLIC);
        return self();
    }

    /**
     * Returns the addition of the hint to a result, unless that has one.
     *
     * @throws IllegalArgumentException if all callers could get contents that only some may read
     */
    final UnaryOperator<ReadResourceResult> hinting() {
        Access access = access();
        if (cacheHint.scope() == CacheScope.PUBLIC
                && (access.isFiltered() || !access.requiredScopes().isEmpty())) {
            throw new IllegalArgumentException(
                    subject()
                            + " cannot be cached as public: "
                            + (access.isFiltered() ? "visibleTo hides it" : "scopes guard it")
                            + " from some callers");
        }
        CacheHint hint = cacheHint;
        return result ->
                hint.equals(CacheHint.NONE) || result.hasCacheHint()
                        ? result
                        : result.withCacheHint(hint);
    }
}
