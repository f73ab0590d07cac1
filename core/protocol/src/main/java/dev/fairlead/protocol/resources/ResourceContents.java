package dev.fairlead.protocol.resources;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Base64;
import java.util.Objects;

/**
 * The contents of a resource or of a part of it: a text or bytes.
 *
 * @param uri the URI of the resource or the part
 * @param mimeType the type of the contents
 * @param text the contents as text; null where they are bytes
 * @param blob the contents as bytes in base64; null where they are text
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ResourceContents(
        String uri,
        @Nullable String mimeType,
        @Nullable String text,
        @Nullable String blob,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers) {
    public ResourceContents {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(otherMembers, "otherMembers");
        if ((text == null) == (blob == null)) {
            throw new IllegalArgumentException("contents must have either text or blob");
        }
    }

    /** Returns a text. */
    public static ResourceContents text(String uri, @Nullable String mimeType, String text) {
        return new ResourceContents(
                uri, mimeType, Objects.requireNonNull(text, "text"), null, null, JsonObject.EMPTY);
    }

    /** Returns bytes. */
    public static ResourceContents blob(String uri, @Nullable String mimeType, byte[] data) {
        return blob(uri, mimeType, Base64.getEncoder().encodeToString(data));
    }

    /** Returns bytes, already in base64. */
    public static ResourceContents blob(String uri, @Nullable String mimeType, String base64) {
        return new ResourceContents(
                uri,
                mimeType,
                null,
                Objects.requireNonNull(base64, "base64"),
                null,
                JsonObject.EMPTY);
    }

    /** Returns whether the contents are a text. */
    public boolean isText() {
        return text != null;
    }

    /**
     * Returns the bytes: of the blob, or of the text in UTF-8.
     *
     * @throws IllegalArgumentException if the blob is not base64
     */
    public byte[] bytes() {
        return blob != null
                ? Base64.getDecoder().decode(blob)
                : Objects.requireNonNull(text).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
}
