package dev.fairlead.protocol.logging;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code logging/setLevel}.
 *
 * @param level the least severe level to be sent
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record SetLevelRequest(
        LoggingLevel level,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    public SetLevelRequest {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public SetLevelRequest(LoggingLevel level) {
        this(level, null, JsonObject.EMPTY);
    }

    @Override
    public SetLevelRequest withMeta(@Nullable JsonObject meta) {
        return new SetLevelRequest(level, meta, otherMembers);
    }
}
