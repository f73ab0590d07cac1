package dev.fairlead.protocol.resources;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code resources/unsubscribe}.
 *
 * @param uri the URI of the resource
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record UnsubscribeRequest(
        String uri,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    public UnsubscribeRequest {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public UnsubscribeRequest(String uri) {
        this(uri, null, JsonObject.EMPTY);
    }

    @Override
    public UnsubscribeRequest withMeta(@Nullable JsonObject meta) {
        return new UnsubscribeRequest(uri, meta, otherMembers);
    }
}
