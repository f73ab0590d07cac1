package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The result of a request that only succeeds.
 *
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record EmptyResult(
        @JsonName("_meta") @Nullable JsonObject meta, @OtherMembers JsonObject otherMembers)
        implements Result {
    public EmptyResult {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an empty instance. */
    public EmptyResult() {
        this(null, JsonObject.EMPTY);
    }

    /** The empty instance. */
    public static final EmptyResult EMPTY = new EmptyResult();

    @Override
    public EmptyResult withMeta(@Nullable JsonObject meta) {
        return new EmptyResult(meta, otherMembers);
    }
}
