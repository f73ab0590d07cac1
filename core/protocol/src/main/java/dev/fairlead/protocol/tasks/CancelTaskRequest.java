package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code tasks/cancel}.
 *
 * @param taskId the task to cancel
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record CancelTaskRequest(
        TaskId taskId,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    public CancelTaskRequest {
        Objects.requireNonNull(taskId, "taskId");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public CancelTaskRequest(TaskId taskId) {
        this(taskId, null, JsonObject.EMPTY);
    }

    @Override
    public CancelTaskRequest withMeta(@Nullable JsonObject meta) {
        return new CancelTaskRequest(taskId, meta, otherMembers);
    }
}
