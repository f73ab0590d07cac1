package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The result of {@code tasks/result}: the result of the request that became the task, unchanged.
 *
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers all other members
 */
public record GetTaskPayloadResult(
        @JsonName("_meta") @Nullable JsonObject meta, @OtherMembers JsonObject otherMembers)
        implements Result {
    public GetTaskPayloadResult {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /**
     * Returns the result of a method in its form on the wire.
     *
     * @throws JsonBindingException if it is not an object, or its {@code _meta} is not
     */
    public static GetTaskPayloadResult of(RawJson result) {
        return JsonCodec.of(GetTaskPayloadResult.class).read(result);
    }

    /** Returns the result in its form on the wire, to be read as that of its method. */
    public RawJson toRawJson() {
        return JsonCodec.of(GetTaskPayloadResult.class).write(this);
    }

    /** Returns the result as an object. */
    public JsonObject toObject() {
        return meta == null
                ? otherMembers
                : JsonObject.of("_meta", meta).with(otherMembers.without("_meta"));
    }

    @Override
    public GetTaskPayloadResult withMeta(@Nullable JsonObject meta) {
        return new GetTaskPayloadResult(meta, otherMembers);
    }
}
