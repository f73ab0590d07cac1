package dev.fairlead.protocol.caching;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

/**
 * A result that a client may cache. Its hint is a part of its {@link #otherMembers}, where a result
 * of any peer can have it. A server always sends it in revisions that have hints, and never in
 * others.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching Caching
 */
public interface CacheableResult extends Result {
    /** Returns the members that the record has no component for. */
    JsonObject otherMembers();

    /** Returns a copy with these other members. */
    CacheableResult withOtherMembers(JsonObject otherMembers);

    /** Returns whether the result has a hint. */
    default boolean hasCacheHint() {
        JsonObject members = otherMembers();
        return members.get(CacheHint.TTL) != null || members.get(CacheHint.SCOPE) != null;
    }

    /**
     * Returns the hint of the result: {@link CacheHint#NONE} without one, and for each invalid
     * half.
     */
    default CacheHint cacheHint() {
        return CacheHint.of(otherMembers());
    }

    /** Returns a copy with this hint; null removes it. */
    default CacheableResult withCacheHint(@Nullable CacheHint hint) {
        JsonObject others = otherMembers().without(CacheHint.TTL, CacheHint.SCOPE);
        return withOtherMembers(
                hint == null
                        ? others
                        : others.with(CacheHint.TTL, hint.ttlMs())
                                .with(CacheHint.SCOPE, hint.scope().wireName()));
    }
}
