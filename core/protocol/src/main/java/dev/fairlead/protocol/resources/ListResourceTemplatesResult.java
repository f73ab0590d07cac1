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
 * One page of the resource templates of a server.
 *
 * @param resourceTemplates the templates of this page
 * @param nextCursor the cursor of the next page; null on the last page
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ListResourceTemplatesResult(
        List<ResourceTemplate> resourceTemplates,
        @Nullable String nextCursor,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements PaginatedResult, CacheableResult {
    public ListResourceTemplatesResult {
        resourceTemplates = List.copyOf(resourceTemplates);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates a page without further members. */
    public ListResourceTemplatesResult(
            List<ResourceTemplate> resourceTemplates, @Nullable String nextCursor) {
        this(resourceTemplates, nextCursor, null, JsonObject.EMPTY);
    }

    @Override
    public ListResourceTemplatesResult withMeta(@Nullable JsonObject meta) {
        return new ListResourceTemplatesResult(resourceTemplates, nextCursor, meta, otherMembers);
    }

    @Override
    public ListResourceTemplatesResult withOtherMembers(JsonObject otherMembers) {
        return new ListResourceTemplatesResult(resourceTemplates, nextCursor, meta, otherMembers);
    }
}
