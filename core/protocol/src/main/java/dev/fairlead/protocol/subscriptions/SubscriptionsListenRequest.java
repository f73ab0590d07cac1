package dev.fairlead.protocol.subscriptions;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The parameters of {@code subscriptions/listen}.
 *
 * @param notifications the notifications to receive
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record SubscriptionsListenRequest(
        NotificationFilter notifications,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    public SubscriptionsListenRequest {
        Objects.requireNonNull(notifications, "notifications");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    @Override
    public SubscriptionsListenRequest withMeta(@Nullable JsonObject meta) {
        return new SubscriptionsListenRequest(notifications, meta, otherMembers);
    }
}
