package dev.fairlead.protocol.resources;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.PaginatedResult;
import dev.fairlead.protocol.caching.CacheableResult;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * One page of the resources of a server.
 *
 * @param resources the resources of this page
 * @param nextCursor the cursor of the next page; null on the last page
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ListResourcesResult(
        List<Resource> resources,
        @Nullable String nextCursor,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements PaginatedResult, CacheableResult {
    public ListResourcesResult {
        resources = List.copyOf(resources);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates a page without further members. */
    public ListResourcesResult(List<Resource> resources, @Nullable String nextCursor) {
        this(resources, nextCursor, null, JsonObject.EMPTY);
    }

    @Override
    public ListResourcesResult withMeta(@Nullable JsonObject meta) {
        return new ListResourcesResult(resources, nextCursor, meta, otherMembers);
    }

    @Override
    public ListResourcesResult withOtherMembers(JsonObject otherMembers) {
        return new ListResourcesResult(resources, nextCursor, meta, otherMembers);
    }
}
