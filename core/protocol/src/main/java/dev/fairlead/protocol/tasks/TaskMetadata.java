package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Range;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A request to run a method as a task.
 *
 * @param ttl for how many milliseconds the task is to be kept, from 1 on; null leaves that to the
 *     receiver
 * @param otherMembers members that this library does not know; written back as they came
 */
public record TaskMetadata(
        @Range(min = 1) @Nullable Long ttl, @OtherMembers JsonObject otherMembers) {
    public TaskMetadata {
        if (ttl != null && ttl < 1) {
            throw new IllegalArgumentException("ttl must be positive but was " + ttl);
        }
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an empty instance. */
    public TaskMetadata() {
        this(null, JsonObject.EMPTY);
    }

    /** Returns a copy with this {@code ttl}; null removes it. */
    public TaskMetadata withTtl(@Nullable Long ttl) {
        return new TaskMetadata(ttl, otherMembers);
    }
}
