package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.content.AudioContent;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.content.EmbeddedResource;
import dev.fairlead.protocol.content.ImageContent;
import dev.fairlead.protocol.content.ResourceLink;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.content.UnknownContent;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Replaces content that a revision does not have. */
final class ContentDowngrade {
    /** The URI of a sound that is sent as a resource, which needs one. */
    private static final String AUDIO_URI = "embedded:audio";

    private final boolean hasIcons;
    private final boolean hasLinks;
    private final boolean hasAudio;

    ContentDowngrade(Revision revision) {
        hasIcons = revision.isAtLeast(Revision.V2025_11_25);
        hasLinks = revision.isAtLeast(Revision.V2025_06_18);
        hasAudio = revision.isAtLeast(Revision.V2025_03_26);
    }

    CallToolResult of(CallToolResult result) {
        if (hasIcons) {
            return result;
        }
        List<Content> content = result.content().stream().map(this::of).toList();
        JsonValue structured = result.structuredContent();
        if (structured != null && !hasLinks) {
            // These revisions have no structured content; without a text block it would be lost.
            content = content.isEmpty() ? List.of(Content.text(structured.toJson())) : content;
            structured = null;
        }
        return new CallToolResult(
                content, structured, result.errorFlag(), result.meta(), result.otherMembers());
    }

    GetPromptResult of(GetPromptResult result) {
        List<PromptMessage> messages =
                result.messages().stream()
                        .map(
                                message ->
                                        new PromptMessage(
                                                message.role(),
                                                of(message.content()),
                                                message.otherMembers()))
                        .toList();
        return new GetPromptResult(
                messages, result.description(), result.meta(), result.otherMembers());
    }

    Content of(Content content) {
        return switch (content) {
            case TextContent text -> of(text);
            case ImageContent image -> of(image);
            case AudioContent audio -> hasAudio ? of(audio) : embedded(audio);
            case ResourceLink link -> hasLinks ? withoutIcons(link) : described(link);
            case EmbeddedResource resource -> resource.withAnnotations(of(resource.annotations()));
            case UnknownContent unknown -> Content.text(unknown.json().toJson());
        };
    }

    TextContent of(TextContent text) {
        return text.annotations() == null ? text : text.withAnnotations(of(text.annotations()));
    }

    ImageContent of(ImageContent image) {
        return image.annotations() == null ? image : image.withAnnotations(of(image.annotations()));
    }

    AudioContent of(AudioContent audio) {
        return audio.annotations() == null ? audio : audio.withAnnotations(of(audio.annotations()));
    }

    private @Nullable Annotations of(@Nullable Annotations annotations) {
        return annotations == null || hasLinks ? annotations : annotations.withLastModified(null);
    }

    private EmbeddedResource embedded(AudioContent audio) {
        return new EmbeddedResource(
                ResourceContents.blob(AUDIO_URI, audio.mimeType(), audio.data()),
                of(audio.annotations()),
                audio.meta(),
                audio.otherMembers());
    }

    private static ResourceLink withoutIcons(ResourceLink link) {
        return new ResourceLink(
                link.uri(),
                link.name(),
                link.title(),
                link.description(),
                link.mimeType(),
                link.size(),
                null,
                link.annotations(),
                link.meta(),
                link.otherMembers());
    }

    private TextContent described(ResourceLink link) {
        String description = link.description() == null ? "" : "\n" + link.description();
        return new TextContent(link.displayName() + ": " + link.uri() + description)
                .withAnnotations(of(link.annotations()))
                .withMeta(link.meta());
    }
}
