package dev.fairlead.protocol.resources;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.NotificationParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code notifications/resources/updated}.
 *
 * @param uri the changed resource; it may be a part of the subscribed one
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ResourceUpdatedNotification(
        String uri,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements NotificationParams {
    public ResourceUpdatedNotification {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ResourceUpdatedNotification(String uri) {
        this(uri, null, JsonObject.EMPTY);
    }

    /** Returns whether a resource is the watched one, or below it. */
    public static boolean isSameOrBelow(String uri, String watched) {
        if (!uri.startsWith(watched)) {
            return false;
        }
        return uri.length() == watched.length()
                || watched.endsWith("/")
                || "/?#".indexOf(uri.charAt(watched.length())) >= 0;
    }

    @Override
    public ResourceUpdatedNotification withMeta(@Nullable JsonObject meta) {
        return new ResourceUpdatedNotification(uri, meta, otherMembers);
    }
}
