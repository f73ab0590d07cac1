package dev.fairlead.protocol.versioning;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.caching.CacheableResult;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * The result of {@code server/discover}.
 *
 * @param supportedVersions the revisions that the server serves, newest first
 * @param capabilities the capabilities of the server
 * @param instructions how to use the server, for the model; null for nothing
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/discover Discovery
 */
public record DiscoverResult(
        List<String> supportedVersions,
        ServerCapabilities capabilities,
        @Nullable String instructions,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements CacheableResult {
    public DiscoverResult {
        supportedVersions = List.copyOf(supportedVersions);
        Objects.requireNonNull(capabilities, "capabilities");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public DiscoverResult(List<String> supportedVersions, ServerCapabilities capabilities) {
        this(supportedVersions, capabilities, null, null, JsonObject.EMPTY);
    }

    /** Returns a copy with this {@code instructions}; null removes it. */
    public DiscoverResult withInstructions(@Nullable String instructions) {
        return new DiscoverResult(
                supportedVersions, capabilities, instructions, meta, otherMembers);
    }

    @Override
    public DiscoverResult withMeta(@Nullable JsonObject meta) {
        return new DiscoverResult(
                supportedVersions, capabilities, instructions, meta, otherMembers);
    }

    @Override
    public DiscoverResult withOtherMembers(JsonObject otherMembers) {
        return new DiscoverResult(
                supportedVersions, capabilities, instructions, meta, otherMembers);
    }
}
