package dev.fairlead.protocol.lifecycle;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The capability of a side to run requests as tasks: begin with none and use {@link #taking},
 * {@link #listing} and {@link #cancelling}.
 *
 * @param list present if {@code tasks/list} is served
 * @param cancel present if {@code tasks/cancel} is served
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

    /** Creates an empty instance. */
    public TasksCapability() {
        this(null, null, null, JsonObject.EMPTY);
    }

    /** Returns whether requests of this method may be run as tasks, such as {@code tools/call}. */
    public boolean takes(String method) {
        int slash = method.indexOf('/');
        return slash > 0
                && requests != null
                && requests.get(method.substring(0, slash)) instanceof JsonObject group
                && isDeclared(group.get(method.substring(slash + 1)));
    }

    /**
     * Returns whether requests of any method may be run as tasks; then {@code tasks/get} and {@code
     * tasks/result} are served.
     */
    public boolean takesAny() {
        return requests != null
                && requests.members().values().stream()
                        .anyMatch(
                                group ->
                                        group instanceof JsonObject methods
                                                && methods.members().values().stream()
                                                        .anyMatch(TasksCapability::isDeclared));
    }

    /**
     * Returns whether a flag is declared: some peers write {@code true} instead of an empty object.
     */
    private static boolean isDeclared(@Nullable JsonValue flag) {
        return isObject(flag) || JsonBoolean.TRUE.equals(flag);
    }

    /**
     * Returns whether a value is an object, or the empty array that some serializers write instead
     * of an empty one.
     */
    static boolean isObject(@Nullable JsonValue value) {
        return value instanceof JsonObject
                || value instanceof JsonArray array && array.elements().isEmpty();
    }

    /** Returns whether {@code tasks/list} is served. */
    public boolean lists() {
        return list != null;
    }

    /** Returns whether {@code tasks/cancel} is served. */
    public boolean cancels() {
        return cancel != null;
    }

    /** Returns a copy that also serves {@code tasks/list}. */
    public TasksCapability listing() {
        return new TasksCapability(JsonObject.EMPTY, cancel, requests, otherMembers);
    }

    /** Returns a copy that also serves {@code tasks/cancel}. */
    public TasksCapability cancelling() {
        return new TasksCapability(list, JsonObject.EMPTY, requests, otherMembers);
    }

    /** Returns a copy that also takes requests of this method, such as {@code tools/call}. */
    public TasksCapability taking(String method) {
        int slash = method.indexOf('/');
        String group = method.substring(0, slash);
        JsonObject all = requests == null ? JsonObject.EMPTY : requests;
        JsonObject methods = all.get(group) instanceof JsonObject known ? known : JsonObject.EMPTY;
        JsonObject taken =
                all.with(group, methods.with(method.substring(slash + 1), JsonObject.EMPTY));
        return new TasksCapability(list, cancel, taken, otherMembers);
    }

    /** Returns a copy with this {@code list}; null removes it. */
    public TasksCapability withList(@Nullable JsonObject list) {
        return new TasksCapability(list, cancel, requests, otherMembers);
    }
}
