package dev.fairlead.protocol.tools;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.PaginatedResult;
import dev.fairlead.protocol.caching.CacheableResult;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * One page of the tools of a server.
 *
 * @param tools the tools of this page
 * @param nextCursor the cursor of the next page; null on the last page
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ListToolsResult(
        List<Tool> tools,
        @Nullable String nextCursor,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements PaginatedResult, CacheableResult {
    public ListToolsResult {
        tools = List.copyOf(tools);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates a page without further members. */
    public ListToolsResult(List<Tool> tools, @Nullable String nextCursor) {
        this(tools, nextCursor, null, JsonObject.EMPTY);
    }

    @Override
    public ListToolsResult withMeta(@Nullable JsonObject meta) {
        return new ListToolsResult(tools, nextCursor, meta, otherMembers);
    }

    @Override
    public ListToolsResult withOtherMembers(JsonObject otherMembers) {
        return new ListToolsResult(tools, nextCursor, meta, otherMembers);
    }
}
