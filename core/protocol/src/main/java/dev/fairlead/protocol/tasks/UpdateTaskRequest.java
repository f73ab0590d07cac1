package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code tasks/update}: answers to questions of a task.
 *
 * @param taskId the task that is answered
 * @param inputResponses the answers by the keys of {@link DetailedTask#inputRequests}; some may be
 *     missing
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 * @spec https://modelcontextprotocol.io/extensions/tasks/overview Tasks extension
 */
public record UpdateTaskRequest(
        TaskId taskId,
        JsonObject inputResponses,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    public UpdateTaskRequest {
        Objects.requireNonNull(taskId, "taskId");
        Objects.requireNonNull(inputResponses, "inputResponses");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public UpdateTaskRequest(TaskId taskId, JsonObject inputResponses) {
        this(taskId, inputResponses, null, JsonObject.EMPTY);
    }

    @Override
    public UpdateTaskRequest withMeta(@Nullable JsonObject meta) {
        return new UpdateTaskRequest(taskId, inputResponses, meta, otherMembers);
    }
}
