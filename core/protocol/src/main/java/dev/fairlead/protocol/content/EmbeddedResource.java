package dev.fairlead.protocol.content;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.resources.ResourceContents;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The contents of a resource inside a message.
 *
 * @param resource the contents
 * @param annotations for whom it is and how important
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
@JsonName("resource")
public record EmbeddedResource(
        ResourceContents resource,
        @Nullable Annotations annotations,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Content {
    public EmbeddedResource {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public EmbeddedResource(ResourceContents resource) {
        this(resource, null, null, JsonObject.EMPTY);
    }

    /** Returns a copy with this {@code annotations}; null removes it. */
    public EmbeddedResource withAnnotations(@Nullable Annotations annotations) {
        return new EmbeddedResource(resource, annotations, meta, otherMembers);
    }
}
