package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request.
 *
 * <p>The reserved key {@code progressToken} is never among {@link #meta}: it travels beside the
 * parameters, and the wire face puts it in and takes it out.
 */
public interface RequestParams {
    /** Returns additional metadata ({@code _meta}); null for none. */
    @Nullable JsonObject meta();

    /** A copy with this {@code _meta}; null takes it away. */
    RequestParams withMeta(@Nullable JsonObject meta);
}
