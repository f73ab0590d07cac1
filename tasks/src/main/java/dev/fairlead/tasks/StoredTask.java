package dev.fairlead.tasks;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.ProgressToken;
import dev.fairlead.protocol.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * A task as it stands in its store, without what it was given and what it gave.
 *
 * @param statusMessage for people; null where there is none
 * @param lastUpdatedAt when state or status message changed last; never goes back, even if the
 *     clock does
 * @param ttl how long it is kept, counted from {@code createdAt}
 * @param run how often it was begun; names the run in every change (fencing)
 * @param job the outside job that it is parked on; null where it is on none
 * @param progress the greatest progress that was stored; null where there was none
 */
public record StoredTask(
        TaskId id,
        Owner owner,
        String method,
        String name,
        @Nullable ProgressToken progressToken,
        TaskState state,
        @Nullable String statusMessage,
        Instant createdAt,
        Instant lastUpdatedAt,
        Duration ttl,
        long run,
        boolean rerunnable,
        @Nullable String job,
        @Nullable Double progress) {
    /** When it expires. */
    public Instant expiresAt() {
        return createdAt.plus(ttl);
    }

    /** The name of its present run. */
    public TaskRun key() {
        return new TaskRun(owner, id, run);
    }
}
