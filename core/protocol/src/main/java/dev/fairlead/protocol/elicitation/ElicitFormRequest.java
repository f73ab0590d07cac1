package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.tasks.TaskMetadata;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A form to be filled in. Never for secrets.
 *
 * @param message the text for the person
 * @param requestedSchema the fields, a flat schema as {@link ElicitationSchema} checks it; members
 *     of it and of its fields that are null count as absent and are dropped
 * @param task asks for a task; null for a plain call
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
@JsonName("form")
public record ElicitFormRequest(
        String message,
        JsonObject requestedSchema,
        @Nullable TaskMetadata task,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements ElicitRequest {
    public ElicitFormRequest {
        Objects.requireNonNull(message, "message");
        requestedSchema =
                ElicitationSchema.withoutNulls(
                        Objects.requireNonNull(requestedSchema, "requestedSchema"));
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ElicitFormRequest(String message, JsonObject requestedSchema) {
        this(message, requestedSchema, null, null, JsonObject.EMPTY);
    }

    @Override
    public ElicitFormRequest withTask(@Nullable TaskMetadata task) {
        return new ElicitFormRequest(message, requestedSchema, task, meta, otherMembers);
    }

    /** Returns a copy with this {@code _meta}; null removes it. */
    public ElicitFormRequest withMeta(@Nullable JsonObject meta) {
        return new ElicitFormRequest(message, requestedSchema, task, meta, otherMembers);
    }
}
