package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * An icon of something that a user sees. Received icons are untrusted.
 *
 * @param src the URI of the image: {@code https} or {@code data}
 * @param mimeType its type, if the source does not give it precisely
 * @param sizes the sizes it suits, each such as {@code 48x48} or {@code any}; null for any size
 * @param theme the background it is for, {@link #LIGHT} or {@link #DARK}; null for any
 * @param otherMembers members that this library does not know; written back as they came
 */
public record Icon(
        String src,
        @Nullable String mimeType,
        @Nullable List<String> sizes,
        @Nullable String theme,
        @OtherMembers JsonObject otherMembers) {
    public Icon {
        Objects.requireNonNull(src, "src");
        sizes = sizes == null ? null : List.copyOf(sizes);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public Icon(String src) {
        this(src, null, null, null, JsonObject.EMPTY);
    }

    /** The theme for light backgrounds. */
    public static final String LIGHT = "light";

    /** The theme for dark backgrounds. */
    public static final String DARK = "dark";

    /** Returns a copy with this {@code mimeType}; null removes it. */
    public Icon withMimeType(@Nullable String mimeType) {
        return new Icon(src, mimeType, sizes, theme, otherMembers);
    }

    /** Returns a copy with this {@code sizes}; null removes it. */
    public Icon withSizes(@Nullable List<String> sizes) {
        return new Icon(src, mimeType, sizes, theme, otherMembers);
    }

    /** Returns a copy with this {@code theme}; null removes it. */
    public Icon withTheme(@Nullable String theme) {
        return new Icon(src, mimeType, sizes, theme, otherMembers);
    }
}
