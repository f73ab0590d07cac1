package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code tasks/result}.
 *
 * @param taskId the task whose outcome is wanted
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record GetTaskPayloadRequest(
        TaskId taskId,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    public GetTaskPayloadRequest {
        Objects.requireNonNull(taskId, "taskId");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public GetTaskPayloadRequest(TaskId taskId) {
        this(taskId, null, JsonObject.EMPTY);
    }

    @Override
    public GetTaskPayloadRequest withMeta(@Nullable JsonObject meta) {
        return new GetTaskPayloadRequest(taskId, meta, otherMembers);
    }
}
