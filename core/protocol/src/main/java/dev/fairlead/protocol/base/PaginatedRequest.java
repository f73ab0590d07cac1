package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.RecordConstructor;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.util.Objects;

/**
 * Parameters of every request for one page of a list: {@code tools/list}, {@code resources/list},
 * {@code resources/templates/list}, {@code prompts/list} and {@code tasks/list}.
 *
 * @param cursor the start of the page, from the previous result; null for the first page
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination
 *     Pagination
 */
public record PaginatedRequest(
        @Nullable String cursor,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    static {
        RecordConstructor.register(
                MethodHandles.lookup(),
                values ->
                        new PaginatedRequest(
                                (String) values[0],
                                (JsonObject) values[1],
                                (JsonObject) values[2]));
    }

    public PaginatedRequest {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates the request for the first page. */
    public PaginatedRequest() {
        this(null, null, JsonObject.EMPTY);
    }

    /** Returns a copy that requests the page at this cursor; null for the first page. */
    public PaginatedRequest withCursor(@Nullable String cursor) {
        return new PaginatedRequest(cursor, meta, otherMembers);
    }

    @Override
    public PaginatedRequest withMeta(@Nullable JsonObject meta) {
        return new PaginatedRequest(cursor, meta, otherMembers);
    }
}
