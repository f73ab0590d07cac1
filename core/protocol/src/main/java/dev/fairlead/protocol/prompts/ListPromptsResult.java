package dev.fairlead.protocol.prompts;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.PaginatedResult;
import dev.fairlead.protocol.caching.CacheableResult;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * One page of the prompts of a server.
 *
 * @param prompts the prompts of this page
 * @param nextCursor the cursor of the next page; null on the last page
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ListPromptsResult(
        List<Prompt> prompts,
        @Nullable String nextCursor,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements PaginatedResult, CacheableResult {
    public ListPromptsResult {
        prompts = List.copyOf(prompts);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates a page without further members. */
    public ListPromptsResult(List<Prompt> prompts, @Nullable String nextCursor) {
        this(prompts, nextCursor, null, JsonObject.EMPTY);
    }

    @Override
    public ListPromptsResult withMeta(@Nullable JsonObject meta) {
        return new ListPromptsResult(prompts, nextCursor, meta, otherMembers);
    }

    @Override
    public ListPromptsResult withOtherMembers(JsonObject otherMembers) {
        return new ListPromptsResult(prompts, nextCursor, meta, otherMembers);
    }
}
