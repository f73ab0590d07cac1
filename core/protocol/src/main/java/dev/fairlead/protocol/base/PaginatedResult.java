package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

/** One page of a list. */
public interface PaginatedResult extends Result {
    /** Returns the cursor of the next page, opaque and possibly empty; null on the last page. */
    @Nullable String nextCursor();

    @Override
    PaginatedResult withMeta(@Nullable JsonObject meta);
}
