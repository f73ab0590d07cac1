package dev.fairlead.protocol.tools;

import dev.fairlead.json.Default;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.content.TextContent;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * The result of a tool, or the reason of its failure.
 *
 * @param content the result as content, for the model; empty if a server leaves it out
 * @param structuredContent the result as JSON; up to revision 2025-11-25 an object
 * @param errorFlag {@code isError} as on the wire, where absent (null) means false; read {@link
 *     #isError()} instead
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record CallToolResult(
        @Default("[]") List<Content> content,
        @Nullable JsonValue structuredContent,
        @JsonName("isError") @Otherwise("true") @Nullable Boolean errorFlag,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result {
    public CallToolResult {
        content = List.copyOf(content);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public CallToolResult(List<Content> content) {
        this(content, null, null, null, JsonObject.EMPTY);
    }

    /** Returns a text. */
    public static CallToolResult text(String text) {
        return of(Content.text(text));
    }

    /** Returns blocks of content. */
    public static CallToolResult of(Content... content) {
        return new CallToolResult(List.of(content));
    }

    /** Returns JSON, and the same as text for clients that only read text. */
    public static CallToolResult structured(JsonValue structuredContent) {
        return text(structuredContent.toJson()).withStructuredContent(structuredContent);
    }

    /** Returns a failure of the tool; the model sees the reason and may try again. */
    public static CallToolResult failure(String message) {
        return text(message).withIsError(true);
    }

    /** Returns whether the tool failed; an absent {@code isError} means false. */
    public boolean isError() {
        return Boolean.TRUE.equals(errorFlag);
    }

    /** Returns the text blocks, each on lines of its own; empty if there are none. */
    public String text() {
        return TextContent.join(content);
    }

    /** Returns a copy with this {@code structuredContent}; null removes it. */
    public CallToolResult withStructuredContent(@Nullable JsonValue structuredContent) {
        return new CallToolResult(content, structuredContent, errorFlag, meta, otherMembers);
    }

    /** Returns a copy with this {@code isError}; null removes it. */
    public CallToolResult withIsError(@Nullable Boolean isError) {
        return new CallToolResult(content, structuredContent, isError, meta, otherMembers);
    }

    @Override
    public CallToolResult withMeta(@Nullable JsonObject meta) {
        return new CallToolResult(content, structuredContent, errorFlag, meta, otherMembers);
    }
}
