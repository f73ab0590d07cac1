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
 * A resource as its server defines it.
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
public record Resource(
        String uri,
        String name,
        @Nullable String title,
        @Nullable String description,
        @Nullable String mimeType,
        @Nullable Long size,
        @Nullable List<Icon> icons,
        @Nullable Annotations annotations,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers) {
    public Resource {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(name, "name");
        icons = icons == null ? null : List.copyOf(icons);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public Resource(String uri, String name) {
        this(uri, name, null, null, null, null, null, null, null, JsonObject.EMPTY);
    }

    /** Returns the text to show to a user: the title, or else the name. */
    public String displayName() {
        return title == null ? name : title;
    }

    /** Returns a copy with this {@code title}; null removes it. */
    public Resource withTitle(@Nullable String title) {
        return with(title, description, mimeType, size, icons, annotations, meta);
    }

    /** Returns a copy with this {@code description}; null removes it. */
    public Resource withDescription(@Nullable String description) {
        return with(title, description, mimeType, size, icons, annotations, meta);
    }

    /** Returns a copy with this {@code mimeType}; null removes it. */
    public Resource withMimeType(@Nullable String mimeType) {
        return with(title, description, mimeType, size, icons, annotations, meta);
    }

    /** Returns a copy with this {@code size}; null removes it. */
    public Resource withSize(@Nullable Long size) {
        return with(title, description, mimeType, size, icons, annotations, meta);
    }

    /** Returns a copy with this {@code icons}; null removes it. */
    public Resource withIcons(@Nullable List<Icon> icons) {
        return with(title, description, mimeType, size, icons, annotations, meta);
    }

    /** Returns a copy with this {@code annotations}; null removes it. */
    public Resource withAnnotations(@Nullable Annotations annotations) {
        return with(title, description, mimeType, size, icons, annotations, meta);
    }

    /** Returns a copy with this {@code _meta}; null removes it. */
    public Resource withMeta(@Nullable JsonObject meta) {
        return with(title, description, mimeType, size, icons, annotations, meta);
    }

    private Resource with(
            @Nullable String title,
            @Nullable String description,
            @Nullable String mimeType,
            @Nullable Long size,
            @Nullable List<Icon> icons,
            @Nullable Annotations annotations,
            @Nullable JsonObject meta) {
        return new Resource(
                uri,
                name,
                title,
                description,
                mimeType,
                size,
                icons,
                annotations,
                meta,
                otherMembers);
    }
}
