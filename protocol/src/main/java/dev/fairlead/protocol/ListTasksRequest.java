package dev.fairlead.protocol;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code tasks/list}.
 *
 * @param cursor where the page begins; null for the first page
 * @param meta what clients and servers attach beside the protocol; null where there is nothing
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ListTasksRequest(
        @Nullable String cursor,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements PaginatedRequest {
    public ListTasksRequest {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** With nothing in it. */
    public ListTasksRequest() {
        this(null, null, JsonObject.EMPTY);
    }

    @Override
    public ListTasksRequest withCursor(@Nullable String cursor) {
        return new ListTasksRequest(cursor, meta, otherMembers);
    }

    /** A copy with this {@code _meta}; null takes it away. */
    public ListTasksRequest withMeta(@Nullable JsonObject meta) {
        return new ListTasksRequest(cursor, meta, otherMembers);
    }
}
