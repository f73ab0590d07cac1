package dev.fairlead.protocol.content;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The use of a tool that a model requests.
 *
 * @param id names this use; its result names it too
 * @param name the tool
 * @param input its arguments
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
@JsonName("tool_use")
public record ToolUseContent(
        String id,
        String name,
        JsonObject input,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements SamplingContent {
    public ToolUseContent {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ToolUseContent(String id, String name, JsonObject input) {
        this(id, name, input, null, JsonObject.EMPTY);
    }
}
