package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.content.AudioContent;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.content.EmbeddedResource;
import dev.fairlead.protocol.content.ImageContent;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.tools.CallToolResult;

import java.util.List;
import java.util.Optional;

/**
 * Something in a result that can be saved as a file: an image, a sound, or the contents of a
 * resource.
 *
 * @param contents its bytes or its text
 * @param name of a file for it; safe for all names of a server
 */
public record Attachment(ResourceContents contents, String name) {

    /** The images, sounds and resources of a result. */
    public static List<Attachment> of(CallToolResult result) {
        return of(result.content());
    }

    /** The images, sounds and resources of the messages of a prompt. */
    public static List<Attachment> of(GetPromptResult result) {
        return of(result.messages().stream().map(PromptMessage::content).toList());
    }

    /** All parts of a resource. */
    public static List<Attachment> of(ReadResourceResult result) {
        return result.contents().stream().map(Attachment::of).toList();
    }

    private static List<Attachment> of(List<Content> content) {
        return content.stream().map(Attachment::of).flatMap(Optional::stream).toList();
    }

    private static Optional<Attachment> of(Content content) {
        return switch (content) {
            case ImageContent image -> Optional.of(of("image", image.mimeType(), image.data()));
            case AudioContent audio -> Optional.of(of("audio", audio.mimeType(), audio.data()));
            case EmbeddedResource embedded -> Optional.of(of(embedded.resource()));
            default -> Optional.empty();
        };
    }

    private static Attachment of(String kind, String mimeType, String base64) {
        return new Attachment(
                ResourceContents.blob("", mimeType, base64), FileName.of(kind, mimeType));
    }

    private static Attachment of(ResourceContents contents) {
        String path = contents.uri().replaceFirst("[?#].*", "");
        String last = path.substring(path.lastIndexOf('/') + 1);
        return new Attachment(contents, FileName.of(last, contents.mimeType()));
    }

    /** Describes it for people: type and size. */
    public String summary() {
        String type = contents.mimeType();
        String size = ByteSize.of(bytes().length);
        return type == null ? size : Printable.line(type) + ", " + size;
    }

    /**
     * The bytes of the file; a text is UTF-8.
     *
     * @throws IllegalArgumentException if the server sent something that is not base64
     */
    byte[] bytes() {
        return contents.bytes();
    }
}
