package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.jsonrpc.RequestId;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code notifications/cancelled}.
 *
 * @param requestId the request that its sender has given up
 * @param reason why
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record CancelledNotification(
        RequestId requestId,
        @Nullable String reason,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements NotificationParams {
    public CancelledNotification {
        Objects.requireNonNull(requestId, "requestId");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public CancelledNotification(RequestId requestId) {
        this(requestId, null, null, JsonObject.EMPTY);
    }

    @Override
    public CancelledNotification withMeta(@Nullable JsonObject meta) {
        return new CancelledNotification(requestId, reason, meta, otherMembers);
    }
}
