package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

/** The result of a request: an open object. */
public interface Result {
    /** Returns additional metadata ({@code _meta}); null for none. */
    @Nullable JsonObject meta();

    /** Returns a copy with this {@code _meta}; null removes it. */
    Result withMeta(@Nullable JsonObject meta);
}
