package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

/** The parameters of a notification. */
public interface NotificationParams {
    /** Returns additional metadata ({@code _meta}); null for none. */
    @Nullable JsonObject meta();

    /** A copy with this {@code _meta}; null takes it away. */
    NotificationParams withMeta(@Nullable JsonObject meta);
}
