package dev.fairlead.protocol.mrtr;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The response of a server that needs answers of the client before it can give a result: the client
 * sends the request again with the answers and the state. At least one of {@code inputRequests} and
 * {@code requestState} is present.
 *
 * @param inputRequests the questions, by keys that the server chose; null for none
 * @param requestState a text that the client sends back unchanged; null for none
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
public record InputRequiredResult(
        @Nullable Map<String, InputRequest> inputRequests,
        @Nullable String requestState,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result {
    public InputRequiredResult {
        if (inputRequests == null && requestState == null) {
            throw new IllegalArgumentException("inputRequests or requestState must be there");
        }
        inputRequests =
                inputRequests == null
                        ? null
                        : Collections.unmodifiableMap(new LinkedHashMap<>(inputRequests));
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public InputRequiredResult(
            @Nullable Map<String, InputRequest> inputRequests, @Nullable String requestState) {
        this(inputRequests, requestState, null, JsonObject.EMPTY);
    }

    @Override
    public InputRequiredResult withMeta(@Nullable JsonObject meta) {
        return new InputRequiredResult(inputRequests, requestState, meta, otherMembers);
    }
}
