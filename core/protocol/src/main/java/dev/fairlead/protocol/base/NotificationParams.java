package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

/** The parameters of a notification. */
public interface NotificationParams {
    /** Returns additional metadata ({@code _meta}); null for none. */
    @Nullable JsonObject meta();

    /** Returns a copy with this {@code _meta}; null removes it. */
    NotificationParams withMeta(@Nullable JsonObject meta);
}
