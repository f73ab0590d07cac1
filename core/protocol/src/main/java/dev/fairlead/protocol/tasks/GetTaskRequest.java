package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code tasks/get}.
 *
 * @param taskId the task to report on
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record GetTaskRequest(
        TaskId taskId,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    public GetTaskRequest {
        Objects.requireNonNull(taskId, "taskId");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public GetTaskRequest(TaskId taskId) {
        this(taskId, null, JsonObject.EMPTY);
    }

    @Override
    public GetTaskRequest withMeta(@Nullable JsonObject meta) {
        return new GetTaskRequest(taskId, meta, otherMembers);
    }
}
