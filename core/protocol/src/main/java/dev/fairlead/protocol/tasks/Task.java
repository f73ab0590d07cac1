package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonAlways;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;
import dev.fairlead.protocol.base.NotificationParams;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Objects;

/**
 * A task in the report of its receiver: the result of {@code tasks/get} and {@code tasks/cancel},
 * the parameters of {@code notifications/tasks/status}, and part of other results.
 *
 * <p>Times are written as RFC 3339 in UTC with {@code Z}, and read with any offset and fraction.
 * Numbers of the peer are not checked.
 *
 * @param id its name; {@code taskId} on the wire
 * @param status its status
 * @param statusMessage a text for people about that; null where there is none
 * @param createdAt when it was created
 * @param lastUpdatedAt when it last changed
 * @param ttl how many milliseconds from its creation it is kept; null, which is written, and
 *     absence mean for ever
 * @param pollInterval the suggested time between two polls, in milliseconds; null for none
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record Task(
        @JsonName("taskId") TaskId id,
        @Otherwise("working") TaskStatus status,
        @Nullable String statusMessage,
        Instant createdAt,
        Instant lastUpdatedAt,
        @JsonAlways @Nullable Long ttl,
        @Nullable Long pollInterval,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result, NotificationParams {
    public Task {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(createdAt, "createdAt");
        Objects.requireNonNull(lastUpdatedAt, "lastUpdatedAt");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates a task without the optional members, which is kept for ever. */
    public Task(TaskId id, TaskStatus status, Instant createdAt, Instant lastUpdatedAt) {
        this(id, status, null, createdAt, lastUpdatedAt, null, null, null, JsonObject.EMPTY);
    }

    /** Returns a copy with this {@code status}. */
    public Task withStatus(TaskStatus status) {
        return with(status, statusMessage, lastUpdatedAt, ttl, pollInterval, meta);
    }

    /** Returns a copy with this {@code statusMessage}; null removes it. */
    public Task withStatusMessage(@Nullable String statusMessage) {
        return with(status, statusMessage, lastUpdatedAt, ttl, pollInterval, meta);
    }

    /** Returns a copy with this {@code lastUpdatedAt}. */
    public Task withLastUpdatedAt(Instant lastUpdatedAt) {
        return with(status, statusMessage, lastUpdatedAt, ttl, pollInterval, meta);
    }

    /** Returns a copy with this {@code ttl}; null keeps it for ever. */
    public Task withTtl(@Nullable Long ttl) {
        return with(status, statusMessage, lastUpdatedAt, ttl, pollInterval, meta);
    }

    /** Returns a copy with this {@code pollInterval}; null removes it. */
    public Task withPollInterval(@Nullable Long pollInterval) {
        return with(status, statusMessage, lastUpdatedAt, ttl, pollInterval, meta);
    }

    @Override
    public Task withMeta(@Nullable JsonObject meta) {
        return with(status, statusMessage, lastUpdatedAt, ttl, pollInterval, meta);
    }

    private Task with(
            TaskStatus status,
            @Nullable String statusMessage,
            Instant lastUpdatedAt,
            @Nullable Long ttl,
            @Nullable Long pollInterval,
            @Nullable JsonObject meta) {
        return new Task(
                id,
                status,
                statusMessage,
                createdAt,
                lastUpdatedAt,
                ttl,
                pollInterval,
                meta,
                otherMembers);
    }
}
