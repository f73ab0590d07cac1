package dev.fairlead.protocol.content;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.base.Icon;
import dev.fairlead.protocol.resources.Resource;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * A link to a resource, which need not be listed.
 *
 * @param uri its URI
 * @param name the name for programs
 * @param title the name for people
 * @param description a description for the model
 * @param mimeType its type
 * @param size its size in bytes before any encoding
 * @param icons its icons
 * @param annotations for whom it is and how important
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
@JsonName("resource_link")
public record ResourceLink(
        String uri,
        String name,
        @Nullable String title,
        @Nullable String description,
        @Nullable String mimeType,
        @Nullable Long size,
        @Nullable List<Icon> icons,
        @Nullable Annotations annotations,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Content {
    public ResourceLink {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(name, "name");
        icons = icons == null ? null : List.copyOf(icons);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members; see {@link #to} for one with them. */
    public ResourceLink(String uri, String name) {
        this(uri, name, null, null, null, null, null, null, null, JsonObject.EMPTY);
    }

    /** Returns the text to show to a user: the title, or else the name. */
    public String displayName() {
        return title == null ? name : title;
    }

    /** Returns a link to this resource. */
    public static ResourceLink to(Resource resource) {
        return new ResourceLink(
                resource.uri(),
                resource.name(),
                resource.title(),
                resource.description(),
                resource.mimeType(),
                resource.size(),
                resource.icons(),
                resource.annotations(),
                resource.meta(),
                resource.otherMembers());
    }
}
