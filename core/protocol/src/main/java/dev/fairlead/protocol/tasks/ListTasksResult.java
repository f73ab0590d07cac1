package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.PaginatedResult;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * One page of the tasks of a side.
 *
 * @param tasks the tasks of this page
 * @param nextCursor the cursor of the next page; null on the last page
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ListTasksResult(
        List<Task> tasks,
        @Nullable String nextCursor,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements PaginatedResult {
    public ListTasksResult {
        tasks = List.copyOf(tasks);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates a page without further members. */
    public ListTasksResult(List<Task> tasks, @Nullable String nextCursor) {
        this(tasks, nextCursor, null, JsonObject.EMPTY);
    }

    @Override
    public ListTasksResult withMeta(@Nullable JsonObject meta) {
        return new ListTasksResult(tasks, nextCursor, meta, otherMembers);
    }
}
