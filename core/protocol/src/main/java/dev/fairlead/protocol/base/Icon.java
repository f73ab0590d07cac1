package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * An icon of something that a user sees. Received icons are untrusted.
 *
 * @param src where the image is: an {@code https} or {@code data} URI
 * @param mimeType its type, where the source does not say or says too little
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

    /** Without the optional members. */
    public Icon(String src) {
        this(src, null, null, null, JsonObject.EMPTY);
    }

    /** The theme for light backgrounds. */
    public static final String LIGHT = "light";

    /** The theme for dark backgrounds. */
    public static final String DARK = "dark";

    /** A copy with this {@code mimeType}; null takes it away. */
    public Icon withMimeType(@Nullable String mimeType) {
        return new Icon(src, mimeType, sizes, theme, otherMembers);
    }

    /** A copy with this {@code sizes}; null takes it away. */
    public Icon withSizes(@Nullable List<String> sizes) {
        return new Icon(src, mimeType, sizes, theme, otherMembers);
    }

    /** A copy with this {@code theme}; null takes it away. */
    public Icon withTheme(@Nullable String theme) {
        return new Icon(src, mimeType, sizes, theme, otherMembers);
    }
}
