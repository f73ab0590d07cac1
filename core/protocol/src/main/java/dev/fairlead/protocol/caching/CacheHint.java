package dev.fairlead.protocol.caching;

import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;

/**
 * States for how long, and for whom, a client may cache a result. On the wire it is two members of
 * the result, {@code ttlMs} and {@code cacheScope}; revisions up to 2025-11-25 do not have them.
 *
 * @param ttlMs the time after its receipt for which the result is fresh, in milliseconds; 0 or more
 * @param scope the users for whom it may be cached
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching Caching
 */
public record CacheHint(long ttlMs, CacheScope scope) {
    /** The members on the wire. */
    static final String TTL = "ttlMs";

    static final String SCOPE = "cacheScope";

    /** Forbids to cache a result; the default. */
    public static final CacheHint NONE = new CacheHint(0, CacheScope.PRIVATE);

    /**
     * @throws IllegalArgumentException if {@code ttlMs} is negative
     */
    public CacheHint {
        if (ttlMs < 0) {
            throw new IllegalArgumentException("ttlMs must be 0 or more but was " + ttlMs);
        }
        Objects.requireNonNull(scope, "scope");
    }

    /**
     * A hint for a time.
     *
     * @throws IllegalArgumentException if the time is negative or has more milliseconds than a
     *     {@code long}
     */
    public static CacheHint of(Duration ttl, CacheScope scope) {
        try {
            return new CacheHint(ttl.toMillis(), scope);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the time to keep a result is too long: " + ttl, e);
        }
    }

    /** Returns a copy with this {@code scope}. */
    public CacheHint withScope(CacheScope scope) {
        return new CacheHint(ttlMs, scope);
    }

    // The generated methods of a record link handles at the first use, which delays the start of a
    // server.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CacheHint hint && ttlMs == hint.ttlMs && scope == hint.scope;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(ttlMs) + scope.hashCode();
    }

    /**
     * Reads a hint by the rules of the specification for clients: a {@code ttlMs} that is missing,
     * negative or no integer is 0, and a scope that is missing or unknown is private.
     */
    static CacheHint of(JsonObject members) {
        JsonValue scope = members.get(SCOPE);
        boolean isPublic =
                scope instanceof JsonString text
                        && text.value().equals(CacheScope.PUBLIC.wireName());
        return new CacheHint(
                ttl(members.get(TTL)), isPublic ? CacheScope.PUBLIC : CacheScope.PRIVATE);
    }

    private static long ttl(@Nullable JsonValue value) {
        if (value instanceof JsonNumber number) {
            try {
                return Math.max(0, number.value().longValueExact());
            } catch (ArithmeticException e) {
                return 0; // a fraction, or beyond a long
            }
        }
        return 0;
    }
}
