package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.NotificationParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code notifications/elicitation/complete}: the interaction on the page is
 * complete.
 *
 * @param elicitationId the question
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ElicitationCompleteNotification(
        String elicitationId,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements NotificationParams {
    public ElicitationCompleteNotification {
        Objects.requireNonNull(elicitationId, "elicitationId");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ElicitationCompleteNotification(String elicitationId) {
        this(elicitationId, null, JsonObject.EMPTY);
    }

    @Override
    public ElicitationCompleteNotification withMeta(@Nullable JsonObject meta) {
        return new ElicitationCompleteNotification(elicitationId, meta, otherMembers);
    }
}
