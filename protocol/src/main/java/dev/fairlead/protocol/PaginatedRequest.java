package dev.fairlead.protocol;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

/** The parameters of a request for one page of a list. */
public interface PaginatedRequest extends RequestParams {
    /** Where the page begins, as a result before told; null for the first page. */
    @Nullable String cursor();

    /** A copy that asks for the page at this cursor; null for the first page. */
    PaginatedRequest withCursor(@Nullable String cursor);

    @Override
    PaginatedRequest withMeta(@Nullable JsonObject meta);
}
