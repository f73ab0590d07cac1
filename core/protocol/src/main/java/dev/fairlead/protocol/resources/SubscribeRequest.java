package dev.fairlead.protocol.resources;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code resources/subscribe}.
 *
 * @param uri the URI of the resource
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record SubscribeRequest(
        String uri,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    public SubscribeRequest {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public SubscribeRequest(String uri) {
        this(uri, null, JsonObject.EMPTY);
    }

    @Override
    public SubscribeRequest withMeta(@Nullable JsonObject meta) {
        return new SubscribeRequest(uri, meta, otherMembers);
    }
}
