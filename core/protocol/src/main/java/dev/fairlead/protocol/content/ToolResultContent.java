package dev.fairlead.protocol.content;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * The result of the use of a tool.
 *
 * @param toolUseId the {@code id} of the use
 * @param content the result of the tool
 * @param structuredContent the same as JSON
 * @param errorFlag {@code isError} as on the wire, where absent (null) means false; read {@link
 *     #isError()} instead
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
@JsonName("tool_result")
public record ToolResultContent(
        String toolUseId,
        List<Content> content,
        @Nullable JsonValue structuredContent,
        @JsonName("isError") @Otherwise("true") @Nullable Boolean errorFlag,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements SamplingContent {
    public ToolResultContent {
        Objects.requireNonNull(toolUseId, "toolUseId");
        content = List.copyOf(content);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ToolResultContent(String toolUseId, List<Content> content) {
        this(toolUseId, content, null, null, null, JsonObject.EMPTY);
    }

    /** Returns whether the tool failed; an absent {@code isError} means false. */
    public boolean isError() {
        return Boolean.TRUE.equals(errorFlag);
    }

    /** Returns a copy with this {@code structuredContent}; null removes it. */
    public ToolResultContent withStructuredContent(@Nullable JsonValue structuredContent) {
        return new ToolResultContent(
                toolUseId, content, structuredContent, errorFlag, meta, otherMembers);
    }

    /** Returns a copy with this {@code isError}; null removes it. */
    public ToolResultContent withIsError(@Nullable Boolean isError) {
        return new ToolResultContent(
                toolUseId, content, structuredContent, isError, meta, otherMembers);
    }
}
