package dev.fairlead.protocol;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Which tasks one side takes on (LIFE-017, LIFE-018).
 *
 * @param list present where {@code tasks/list} is served
 * @param cancel present where {@code tasks/cancel} is served
 * @param requests the requests that may be run as tasks, such as {@code {"tools": {"call": {}}}}
 * @param otherMembers members that this library does not know; written back as they came
 */
public record TasksCapability(
        @Nullable JsonObject list,
        @Nullable JsonObject cancel,
        @Nullable JsonObject requests,
        @OtherMembers JsonObject otherMembers) {
    public TasksCapability {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** With nothing in it. */
    public TasksCapability() {
        this(null, null, null, JsonObject.EMPTY);
    }

    /** Whether a request may be run as a task, such as {@code tools/call}. */
    public boolean takes(String method) {
        int slash = method.indexOf('/');
        return slash > 0
                && requests != null
                && requests.get(method.substring(0, slash)) instanceof JsonObject group
                && group.has(method.substring(slash + 1));
    }

    /** A copy that also takes this request, such as {@code tools/call}. */
    public TasksCapability taking(String method) {
        int slash = method.indexOf('/');
        String group = method.substring(0, slash);
        JsonObject all = requests == null ? JsonObject.EMPTY : requests;
        JsonObject methods = all.get(group) instanceof JsonObject known ? known : JsonObject.EMPTY;
        return withRequests(
                all.with(group, methods.with(method.substring(slash + 1), JsonObject.EMPTY)));
    }

    /** A copy with this {@code list}; null takes it away. */
    public TasksCapability withList(@Nullable JsonObject list) {
        return new TasksCapability(list, cancel, requests, otherMembers);
    }

    /** A copy with this {@code cancel}; null takes it away. */
    public TasksCapability withCancel(@Nullable JsonObject cancel) {
        return new TasksCapability(list, cancel, requests, otherMembers);
    }

    /** A copy with this {@code requests}; null takes it away. */
    public TasksCapability withRequests(@Nullable JsonObject requests) {
        return new TasksCapability(list, cancel, requests, otherMembers);
    }
}
