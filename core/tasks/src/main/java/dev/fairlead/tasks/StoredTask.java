package dev.fairlead.tasks;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * The state of a task in its store, without its input and its outcome.
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
    /** Returns the state of a task that has just been stored. */
    public static StoredTask created(NewTask task, Instant now) {
        return new StoredTask(
                task.id(),
                task.owner(),
                task.method(),
                task.name(),
                task.progressToken(),
                TaskState.WORKING,
                null,
                now,
                now,
                task.ttl(),
                1,
                task.rerunnable(),
                null,
                null);
    }

    /** Returns the time at which the task expires. */
    public Instant expiresAt() {
        return createdAt.plus(ttl);
    }

    /** Returns the key of the current run. */
    public TaskRun key() {
        return new TaskRun(owner, id, run);
    }

    /** Returns the task with another state, status message and time of the last update. */
    public StoredTask withState(
            TaskState state, @Nullable String statusMessage, Instant lastUpdatedAt) {
        return with(state, statusMessage, lastUpdatedAt, run, job, progress);
    }

    /** Returns the task with another run. */
    public StoredTask withRun(long run) {
        return with(state, statusMessage, lastUpdatedAt, run, job, progress);
    }

    /** Returns the task parked on an outside job; on none if that is null. */
    public StoredTask withJob(@Nullable String job) {
        return with(state, statusMessage, lastUpdatedAt, run, job, progress);
    }

    /** Returns the task with another progress. */
    public StoredTask withProgress(@Nullable Double progress) {
        return with(state, statusMessage, lastUpdatedAt, run, job, progress);
    }

    private StoredTask with(
            TaskState state,
            @Nullable String statusMessage,
            Instant lastUpdatedAt,
            long run,
            @Nullable String job,
            @Nullable Double progress) {
        return new StoredTask(
                id,
                owner,
                method,
                name,
                progressToken,
                state,
                statusMessage,
                createdAt,
                lastUpdatedAt,
                ttl,
                run,
                rerunnable,
                job,
                progress);
    }
}
