package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Optional;

/**
 * The answer to a request that became a task, in place of its result.
 *
 * @param task the task as it was created; its own {@code _meta} is left out, since only results
 *     have one
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record CreateTaskResult(
        Task task,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result {
    public CreateTaskResult {
        task = task.meta() == null ? task : task.withMeta(null);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public CreateTaskResult(Task task) {
        this(task, null, JsonObject.EMPTY);
    }

    /** Returns a text for the model while the task runs; empty for none. */
    public Optional<String> immediateResponse() {
        return meta != null
                        && meta.get(MetaKey.MODEL_IMMEDIATE_RESPONSE) instanceof JsonString response
                ? Optional.of(response.value())
                : Optional.empty();
    }

    /** Returns a copy with this text for the model while the task runs; null removes it. */
    public CreateTaskResult withImmediateResponse(@Nullable String response) {
        JsonObject known = meta == null ? JsonObject.EMPTY : meta;
        JsonObject changed =
                response == null
                        ? known.without(MetaKey.MODEL_IMMEDIATE_RESPONSE)
                        : known.with(MetaKey.MODEL_IMMEDIATE_RESPONSE, response);
        return withMeta(changed.isEmpty() ? null : changed);
    }

    @Override
    public CreateTaskResult withMeta(@Nullable JsonObject meta) {
        return new CreateTaskResult(task, meta, otherMembers);
    }
}
