package dev.fairlead.protocol.prompts;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * A prompt with the values of its arguments.
 *
 * @param messages the messages
 * @param description the purpose of the prompt
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record GetPromptResult(
        List<PromptMessage> messages,
        @Nullable String description,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result {
    public GetPromptResult {
        messages = List.copyOf(messages);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public GetPromptResult(List<PromptMessage> messages) {
        this(messages, null, null, JsonObject.EMPTY);
    }

    /** Returns a result with these messages. */
    public static GetPromptResult of(PromptMessage... messages) {
        return new GetPromptResult(List.of(messages));
    }

    /** Returns a copy with this {@code description}; null removes it. */
    public GetPromptResult withDescription(@Nullable String description) {
        return new GetPromptResult(messages, description, meta, otherMembers);
    }

    @Override
    public GetPromptResult withMeta(@Nullable JsonObject meta) {
        return new GetPromptResult(messages, description, meta, otherMembers);
    }
}
