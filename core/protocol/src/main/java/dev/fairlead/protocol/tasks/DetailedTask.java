package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonAlways;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.NotificationParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.mrtr.InputRequest;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A task of the tasks extension, with the data of its status: the result of {@code tasks/get}, the
 * parameters of {@code notifications/tasks} and, without the last three members, the answer to a
 * request that became a task.
 *
 * <p>Times are written as RFC 3339 in UTC with {@code Z}, and read with any offset and fraction.
 *
 * @param id its name; {@code taskId} on the wire
 * @param status its status; a tool result that reports a failure is {@code completed}
 * @param statusMessage a text for people about that; null where there is none
 * @param createdAt when it was created
 * @param lastUpdatedAt when it last changed
 * @param ttlMs how many milliseconds from its creation it is kept; null, which is written, and
 *     absence mean for ever
 * @param pollIntervalMs the suggested time between two polls, in milliseconds; null for none
 * @param inputRequests the questions that the task waits for, by key; null unless it is {@code
 *     input_required}
 * @param result the result that the request would have had, an object as the revision writes it;
 *     null unless the task is {@code completed}
 * @param error the error that the request would have been answered with; null unless the task is
 *     {@code failed}
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 * @spec https://modelcontextprotocol.io/extensions/tasks/overview Tasks extension
 */
public record DetailedTask(
        @JsonName("taskId") TaskId id,
        @Otherwise("working") TaskStatus status,
        @Nullable String statusMessage,
        Instant createdAt,
        Instant lastUpdatedAt,
        @JsonAlways @Nullable Long ttlMs,
        @Nullable Long pollIntervalMs,
        @Nullable Map<String, InputRequest> inputRequests,
        @Nullable RawJson result,
        @Nullable JsonRpcError error,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result, NotificationParams {
    public DetailedTask {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(createdAt, "createdAt");
        Objects.requireNonNull(lastUpdatedAt, "lastUpdatedAt");
        inputRequests =
                inputRequests == null
                        ? null
                        : Collections.unmodifiableMap(new LinkedHashMap<>(inputRequests));
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Returns a task without {@code _meta} and without the data of its status. */
    public static DetailedTask of(Task task) {
        return new DetailedTask(
                task.id(),
                task.status(),
                task.statusMessage(),
                task.createdAt(),
                task.lastUpdatedAt(),
                task.ttl(),
                task.pollInterval(),
                null,
                null,
                null,
                null,
                JsonObject.EMPTY);
    }

    /**
     * Returns the answer to a request that became a task. Metadata that only revision 2025-11-25
     * has is left out.
     */
    public static DetailedTask created(CreateTaskResult answer) {
        JsonObject meta = answer.meta();
        JsonObject left =
                meta == null
                        ? JsonObject.EMPTY
                        : meta.without(MetaKey.RELATED_TASK, MetaKey.MODEL_IMMEDIATE_RESPONSE);
        return of(answer.task()).withMeta(left.isEmpty() ? null : left);
    }

    /** Returns the answer to a request that became this task. */
    public CreateTaskResult created() {
        return new CreateTaskResult(task()).withMeta(meta);
    }

    /** Returns the task alone. */
    public Task task() {
        return new Task(id, status, createdAt, lastUpdatedAt)
                .withStatusMessage(statusMessage)
                .withTtl(ttlMs)
                .withPollInterval(pollIntervalMs);
    }

    /** Returns a copy that waits for this. */
    public DetailedTask withInputRequests(@Nullable Map<String, InputRequest> inputRequests) {
        return with(inputRequests, result, error, meta);
    }

    /** Returns a copy with this {@code result}. */
    public DetailedTask withResult(@Nullable RawJson result) {
        return with(inputRequests, result, error, meta);
    }

    /** Returns a copy with this {@code error}. */
    public DetailedTask withError(@Nullable JsonRpcError error) {
        return with(inputRequests, result, error, meta);
    }

    @Override
    public DetailedTask withMeta(@Nullable JsonObject meta) {
        return with(inputRequests, result, error, meta);
    }

    private DetailedTask with(
            @Nullable Map<String, InputRequest> inputRequests,
            @Nullable RawJson result,
            @Nullable JsonRpcError error,
            @Nullable JsonObject meta) {
        return new DetailedTask(
                id,
                status,
                statusMessage,
                createdAt,
                lastUpdatedAt,
                ttlMs,
                pollIntervalMs,
                inputRequests,
                result,
                error,
                meta,
                otherMembers);
    }
}
