package dev.fairlead.protocol.resources;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.base.Icon;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * A family of resources whose URIs follow a template.
 *
 * @param uriTemplate the URI template (RFC 6570)
 * @param name the name for programs
 * @param title the name for people
 * @param description a description for the model
 * @param mimeType their type, where all have the same
 * @param icons their icons
 * @param annotations for whom it is and how important
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ResourceTemplate(
        String uriTemplate,
        String name,
        @Nullable String title,
        @Nullable String description,
        @Nullable String mimeType,
        @Nullable List<Icon> icons,
        @Nullable Annotations annotations,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers) {
    public ResourceTemplate {
        Objects.requireNonNull(uriTemplate, "uriTemplate");
        Objects.requireNonNull(name, "name");
        icons = icons == null ? null : List.copyOf(icons);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ResourceTemplate(String uriTemplate, String name) {
        this(uriTemplate, name, null, null, null, null, null, null, JsonObject.EMPTY);
    }

    /** Returns the text to show to a user: the title, or else the name. */
    public String displayName() {
        return title == null ? name : title;
    }

    /** Returns a copy with this {@code title}; null removes it. */
    public ResourceTemplate withTitle(@Nullable String title) {
        return with(title, description, mimeType, icons, annotations, meta);
    }

    /** Returns a copy with this {@code description}; null removes it. */
    public ResourceTemplate withDescription(@Nullable String description) {
        return with(title, description, mimeType, icons, annotations, meta);
    }

    /** Returns a copy with this {@code mimeType}; null removes it. */
    public ResourceTemplate withMimeType(@Nullable String mimeType) {
        return with(title, description, mimeType, icons, annotations, meta);
    }

    /** Returns a copy with this {@code icons}; null removes it. */
    public ResourceTemplate withIcons(@Nullable List<Icon> icons) {
        return with(title, description, mimeType, icons, annotations, meta);
    }

    /** Returns a copy with this {@code annotations}; null removes it. */
    public ResourceTemplate withAnnotations(@Nullable Annotations annotations) {
        return with(title, description, mimeType, icons, annotations, meta);
    }

    /** Returns a copy with this {@code _meta}; null removes it. */
    public ResourceTemplate withMeta(@Nullable JsonObject meta) {
        return with(title, description, mimeType, icons, annotations, meta);
    }

    private ResourceTemplate with(
            @Nullable String title,
            @Nullable String description,
            @Nullable String mimeType,
            @Nullable List<Icon> icons,
            @Nullable Annotations annotations,
            @Nullable JsonObject meta) {
        return new ResourceTemplate(
                uriTemplate,
                name,
                title,
                description,
                mimeType,
                icons,
                annotations,
                meta,
                otherMembers);
    }
}
