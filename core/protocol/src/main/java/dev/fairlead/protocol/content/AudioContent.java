package dev.fairlead.protocol.content;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Annotations;

import org.jspecify.annotations.Nullable;

import java.util.Base64;
import java.util.Objects;

/**
 * A sound.
 *
 * @param data the bytes in base64
 * @param mimeType their type
 * @param annotations for whom it is and how important
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
@JsonName("audio")
public record AudioContent(
        String data,
        String mimeType,
        @Nullable Annotations annotations,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Content, SamplingContent {
    public AudioContent {
        Objects.requireNonNull(data, "data");
        Objects.requireNonNull(mimeType, "mimeType");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public AudioContent(String data, String mimeType) {
        this(data, mimeType, null, null, JsonObject.EMPTY);
    }

    /**
     * Returns the bytes.
     *
     * @throws IllegalArgumentException if the data is not base64
     */
    public byte[] bytes() {
        return Base64.getDecoder().decode(data);
    }

    /** Returns a copy with this {@code annotations}; null removes it. */
    public AudioContent withAnnotations(@Nullable Annotations annotations) {
        return new AudioContent(data, mimeType, annotations, meta, otherMembers);
    }
}
