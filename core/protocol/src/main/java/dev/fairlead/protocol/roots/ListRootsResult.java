package dev.fairlead.protocol.roots;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * The roots of a client.
 *
 * @param roots all of them
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ListRootsResult(
        List<Root> roots,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result {
    public ListRootsResult {
        roots = List.copyOf(roots);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ListRootsResult(List<Root> roots) {
        this(roots, null, JsonObject.EMPTY);
    }

    @Override
    public ListRootsResult withMeta(@Nullable JsonObject meta) {
        return new ListRootsResult(roots, meta, otherMembers);
    }
}
