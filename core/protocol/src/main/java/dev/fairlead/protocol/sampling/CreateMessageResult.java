package dev.fairlead.protocol.sampling;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonOneOrMany;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.content.SamplingContent;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.content.ToolUseContent;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * The answer of a model.
 *
 * @param role the author
 * @param content the content, one block or several
 * @param model the model that wrote it
 * @param stopReason why it stopped, such as {@link #END_TURN}; an open set
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record CreateMessageResult(
        @Otherwise("assistant") Role role,
        @JsonOneOrMany List<SamplingContent> content,
        String model,
        @Nullable String stopReason,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result {
    public CreateMessageResult {
        Objects.requireNonNull(role, "role");
        content = List.copyOf(content);
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public CreateMessageResult(Role role, List<SamplingContent> content, String model) {
        this(role, content, model, null, null, JsonObject.EMPTY);
    }

    /** The model ended its turn. */
    public static final String END_TURN = "endTurn";

    /** The model reached a stop sequence. */
    public static final String STOP_SEQUENCE = "stopSequence";

    /** The model reached the limit of tokens. */
    public static final String MAX_TOKENS = "maxTokens";

    /** The model waits for the results of tools. */
    public static final String TOOL_USE = "toolUse";

    /** Returns a text of the assistant. */
    public static CreateMessageResult text(String model, String text) {
        return new CreateMessageResult(Role.ASSISTANT, List.of(new TextContent(text)), model)
                .withStopReason(END_TURN);
    }

    /** Returns the text blocks, each on lines of its own; empty if there are none. */
    public String text() {
        return TextContent.join(content);
    }

    /** Returns the tools that the model wants to use. */
    public List<ToolUseContent> toolUses() {
        return content.stream()
                .filter(ToolUseContent.class::isInstance)
                .map(ToolUseContent.class::cast)
                .toList();
    }

    /** Returns a copy with this {@code stopReason}; null removes it. */
    public CreateMessageResult withStopReason(@Nullable String stopReason) {
        return new CreateMessageResult(role, content, model, stopReason, meta, otherMembers);
    }

    @Override
    public CreateMessageResult withMeta(@Nullable JsonObject meta) {
        return new CreateMessageResult(role, content, model, stopReason, meta, otherMembers);
    }
}
