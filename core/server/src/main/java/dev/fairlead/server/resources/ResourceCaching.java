package dev.fairlead.server.resources;

import dev.fairlead.protocol.caching.CacheHint;
import dev.fairlead.protocol.caching.CacheScope;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.server.call.Access;

/**
 * How the contents of a resource, or of all resources of a template, may be kept.
 *
 * @param hint the hint of results whose handler sets none
 */
public record ResourceCaching(CacheHint hint) {
    /**
     * Returns this for a resource with such an access.
     *
     * @param subject whose it is, for messages
     * @throws IllegalArgumentException if all callers could get contents that only some may read
     */
    public ResourceCaching checked(String subject, Access access) {
        if (hint.scope() == CacheScope.PUBLIC
                && (access.isFiltered() || !access.requiredScopes().isEmpty())) {
            throw new IllegalArgumentException(
                    subject
                            + " cannot be cached as public: "
                            + (access.isFiltered() ? "visibleTo hides it" : "scopes guard it")
                            + " from some callers");
        }
        return this;
    }

    /** Returns the result with the hint, unless it has one. */
    public ReadResourceResult addTo(ReadResourceResult result) {
        return hint.equals(CacheHint.NONE) || result.hasCacheHint()
                ? result
                : result.withCacheHint(hint);
    }
}
