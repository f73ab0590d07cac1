package dev.fairlead.protocol.lifecycle;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The result of {@code initialize}.
 *
 * @param protocolVersion the negotiated revision
 * @param capabilities the capabilities of the server
 * @param serverInfo the program of the server
 * @param instructions how to use the server, for the model
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record InitializeResult(
        String protocolVersion,
        ServerCapabilities capabilities,
        Implementation serverInfo,
        @Nullable String instructions,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result {
    public InitializeResult {
        Objects.requireNonNull(protocolVersion, "protocolVersion");
        Objects.requireNonNull(capabilities, "capabilities");
        Objects.requireNonNull(serverInfo, "serverInfo");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public InitializeResult(
            String protocolVersion, ServerCapabilities capabilities, Implementation serverInfo) {
        this(protocolVersion, capabilities, serverInfo, null, null, JsonObject.EMPTY);
    }

    /** Returns a copy with this {@code instructions}; null removes it. */
    public InitializeResult withInstructions(@Nullable String instructions) {
        return new InitializeResult(
                protocolVersion, capabilities, serverInfo, instructions, meta, otherMembers);
    }

    @Override
    public InitializeResult withMeta(@Nullable JsonObject meta) {
        return new InitializeResult(
                protocolVersion, capabilities, serverInfo, instructions, meta, otherMembers);
    }
}
