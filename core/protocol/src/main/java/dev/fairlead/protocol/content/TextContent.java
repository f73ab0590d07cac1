package dev.fairlead.protocol.content;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Annotations;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A text.
 *
 * @param text the text
 * @param annotations for whom it is and how important
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
@JsonName("text")
public record TextContent(
        String text,
        @Nullable Annotations annotations,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Content, SamplingContent {
    public TextContent {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public TextContent(String text) {
        this(text, null, null, JsonObject.EMPTY);
    }

    /** Returns the texts of the text blocks among these, separated by line breaks. */
    public static String join(List<?> blocks) {
        return blocks.stream()
                .filter(TextContent.class::isInstance)
                .map(block -> ((TextContent) block).text())
                .collect(Collectors.joining("\n"));
    }

    /** Returns a copy with this {@code annotations}; null removes it. */
    public TextContent withAnnotations(@Nullable Annotations annotations) {
        return new TextContent(text, annotations, meta, otherMembers);
    }

    /** Returns a copy with this {@code _meta}; null removes it. */
    public TextContent withMeta(@Nullable JsonObject meta) {
        return new TextContent(text, annotations, meta, otherMembers);
    }
}
