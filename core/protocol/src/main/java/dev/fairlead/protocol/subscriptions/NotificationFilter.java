package dev.fairlead.protocol.subscriptions;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * The changes that a client wants to receive; in an acknowledgement those that it will receive.
 *
 * @param toolsListChanged whether the list of tools; null for no
 * @param promptsListChanged whether the list of prompts; null for no
 * @param resourcesListChanged whether the list of resources or templates; null for no
 * @param resourceSubscriptions the URIs of resources; null for none
 * @param taskIds the ids of tasks, of the extension for tasks; null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record NotificationFilter(
        @Nullable Boolean toolsListChanged,
        @Nullable Boolean promptsListChanged,
        @Nullable Boolean resourcesListChanged,
        @Nullable List<String> resourceSubscriptions,
        @Nullable List<String> taskIds,
        @OtherMembers JsonObject otherMembers) {
    public NotificationFilter {
        resourceSubscriptions =
                resourceSubscriptions == null ? null : List.copyOf(resourceSubscriptions);
        taskIds = taskIds == null ? null : List.copyOf(taskIds);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an empty instance. */
    public NotificationFilter() {
        this(null, null, null, null, null, JsonObject.EMPTY);
    }

    /** Returns whether changes of the list of tools are wanted. */
    public boolean tools() {
        return Boolean.TRUE.equals(toolsListChanged);
    }

    /** Returns whether changes of the list of prompts are wanted. */
    public boolean prompts() {
        return Boolean.TRUE.equals(promptsListChanged);
    }

    /** Returns whether changes of the list of resources are wanted. */
    public boolean resources() {
        return Boolean.TRUE.equals(resourcesListChanged);
    }

    /** Returns a copy with these URIs of resources. */
    public NotificationFilter withUris(List<String> uris) {
        return new NotificationFilter(
                toolsListChanged,
                promptsListChanged,
                resourcesListChanged,
                uris,
                taskIds,
                otherMembers);
    }

    /** Returns a copy with these ids of tasks; null for none. */
    public NotificationFilter withTaskIds(@Nullable List<String> ids) {
        return new NotificationFilter(
                toolsListChanged,
                promptsListChanged,
                resourcesListChanged,
                resourceSubscriptions,
                ids,
                otherMembers);
    }

    /** Returns the ids of the tasks whose changes are wanted. */
    public List<String> tasks() {
        return taskIds == null ? List.of() : taskIds;
    }

    /** Returns the URIs of the resources whose changes are wanted. */
    public List<String> uris() {
        return resourceSubscriptions == null ? List.of() : resourceSubscriptions;
    }
}
