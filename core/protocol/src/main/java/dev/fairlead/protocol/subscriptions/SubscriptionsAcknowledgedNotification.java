package dev.fairlead.protocol.subscriptions;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.NotificationParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The parameters of {@code notifications/subscriptions/acknowledged}: the first message of a
 * subscription.
 *
 * @param notifications the wanted changes that the server will send
 * @param meta the id of the subscription among others
 * @param otherMembers members that this library does not know; written back as they came
 */
public record SubscriptionsAcknowledgedNotification(
        NotificationFilter notifications,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements NotificationParams {
    public SubscriptionsAcknowledgedNotification {
        Objects.requireNonNull(notifications, "notifications");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    @Override
    public SubscriptionsAcknowledgedNotification withMeta(@Nullable JsonObject meta) {
        return new SubscriptionsAcknowledgedNotification(notifications, meta, otherMembers);
    }
}
