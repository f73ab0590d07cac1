package dev.fairlead.protocol.content;

import dev.fairlead.json.JsonDiscriminator;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceContents;

import java.util.Base64;

/**
 * A block of content in a message, a tool result or a prompt.
 *
 * <p>A block of a type that this library does not know is an {@link UnknownContent}.
 */
@JsonDiscriminator("type")
public sealed interface Content
        permits TextContent,
                ImageContent,
                AudioContent,
                ResourceLink,
                EmbeddedResource,
                UnknownContent {
    /** Returns a text. */
    static TextContent text(String text) {
        return new TextContent(text);
    }

    /** Returns an image. */
    static ImageContent image(byte[] data, String mimeType) {
        return new ImageContent(Base64.getEncoder().encodeToString(data), mimeType);
    }

    /** Returns an image, already in base64. */
    static ImageContent image(String base64, String mimeType) {
        return new ImageContent(base64, mimeType);
    }

    /** Returns a sound. */
    static AudioContent audio(byte[] data, String mimeType) {
        return new AudioContent(Base64.getEncoder().encodeToString(data), mimeType);
    }

    /** Returns a sound, already in base64. */
    static AudioContent audio(String base64, String mimeType) {
        return new AudioContent(base64, mimeType);
    }

    /** Returns a link to a resource, which the client may read. */
    static ResourceLink link(String uri, String name) {
        return new ResourceLink(uri, name);
    }

    /** Returns a link to a resource, which the client may read. */
    static ResourceLink link(Resource resource) {
        return ResourceLink.to(resource);
    }

    /** Returns the contents of a resource. */
    static EmbeddedResource resource(ResourceContents contents) {
        return new EmbeddedResource(contents);
    }
}
