package dev.fairlead.protocol.lifecycle;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.RecordConstructor;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.util.Objects;

/**
 * Parameters of {@code initialize}.
 *
 * @param protocolVersion the newest revision that the client supports
 * @param capabilities the capabilities of the client
 * @param clientInfo the program of the client
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record InitializeRequest(
        String protocolVersion,
        ClientCapabilities capabilities,
        Implementation clientInfo,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    static {
        RecordConstructor.register(
                MethodHandles.lookup(),
                values ->
                        new InitializeRequest(
                                (String) values[0],
                                (ClientCapabilities) values[1],
                                (Implementation) values[2],
                                (JsonObject) values[3],
                                (JsonObject) values[4]));
    }

    public InitializeRequest {
        Objects.requireNonNull(protocolVersion, "protocolVersion");
        Objects.requireNonNull(capabilities, "capabilities");
        Objects.requireNonNull(clientInfo, "clientInfo");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public InitializeRequest(
            String protocolVersion, ClientCapabilities capabilities, Implementation clientInfo) {
        this(protocolVersion, capabilities, clientInfo, null, JsonObject.EMPTY);
    }

    @Override
    public InitializeRequest withMeta(@Nullable JsonObject meta) {
        return new InitializeRequest(protocolVersion, capabilities, clientInfo, meta, otherMembers);
    }
}
