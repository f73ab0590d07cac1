package dev.fairlead.protocol.lifecycle;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The capability of a list, on either side: the tools and prompts of a server, the roots of a
 * client.
 *
 * @param listChanged whether changes of the list are notified; absent reads as false
 * @param otherMembers members that this library does not know; written back as they came
 * @spec
 *     https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation
 *     Capability negotiation
 */
public record ListCapability(@Nullable Boolean listChanged, @OtherMembers JsonObject otherMembers) {
    public ListCapability {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without further members. */
    public ListCapability(boolean listChanged) {
        this(listChanged, JsonObject.EMPTY);
    }
}
