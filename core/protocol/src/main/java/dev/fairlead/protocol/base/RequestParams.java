package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request.
 *
 * <p>The reserved key {@code progressToken} is never among {@link #meta}: it travels beside the
 * parameters, and the wire face adds and removes it.
 */
public interface RequestParams {
    /** Returns additional metadata ({@code _meta}); null for none. */
    @Nullable JsonObject meta();

    /** Returns a copy with this {@code _meta}; null removes it. */
    RequestParams withMeta(@Nullable JsonObject meta);
}
