package dev.fairlead.protocol.lifecycle;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Optional;

/**
 * The capabilities of a server. A capability is declared by the presence of its object, even an
 * empty one.
 *
 * @param toolsCapability the server has tools
 * @param resourcesCapability the server has resources
 * @param promptsCapability the server has prompts
 * @param completionsCapability the server completes arguments
 * @param loggingCapability the server sends log messages
 * @param tasksCapability the server runs requests as tasks
 * @param experimental capabilities outside the protocol
 * @param extensions the extensions of the protocol, by identifier, each with its settings
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ServerCapabilities(
        @JsonName("tools") @Nullable ListCapability toolsCapability,
        @JsonName("resources") @Nullable Resources resourcesCapability,
        @JsonName("prompts") @Nullable ListCapability promptsCapability,
        @JsonName("completions") @Nullable JsonObject completionsCapability,
        @JsonName("logging") @Nullable JsonObject loggingCapability,
        @JsonName("tasks") @Nullable TasksCapability tasksCapability,
        @Nullable JsonObject experimental,
        @Nullable JsonObject extensions,
        @OtherMembers JsonObject otherMembers) {
    public ServerCapabilities {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an empty instance. */
    public ServerCapabilities() {
        this(null, null, null, null, null, null, null, null, JsonObject.EMPTY);
    }

    /** A server without capabilities. */
    public static final ServerCapabilities NONE = new ServerCapabilities();

    /** Returns whether the server has tools. */
    public boolean tools() {
        return toolsCapability != null;
    }

    /** Returns whether the server notifies that its tools changed. */
    public boolean toolsListChanged() {
        return toolsCapability != null && Boolean.TRUE.equals(toolsCapability.listChanged());
    }

    /** Returns whether the server has resources. */
    public boolean resources() {
        return resourcesCapability != null;
    }

    /** Returns whether a resource can be watched. */
    public boolean resourcesSubscribe() {
        return resourcesCapability != null && Boolean.TRUE.equals(resourcesCapability.subscribe());
    }

    /** Returns whether the server notifies that its resources changed. */
    public boolean resourcesListChanged() {
        return resourcesCapability != null
                && Boolean.TRUE.equals(resourcesCapability.listChanged());
    }

    /** Returns whether the server has prompts. */
    public boolean prompts() {
        return promptsCapability != null;
    }

    /** Returns whether the server notifies that its prompts changed. */
    public boolean promptsListChanged() {
        return promptsCapability != null && Boolean.TRUE.equals(promptsCapability.listChanged());
    }

    /** Returns whether the server completes arguments. */
    public boolean completions() {
        return completionsCapability != null;
    }

    /** Returns whether the server sends log messages. */
    public boolean logging() {
        return loggingCapability != null;
    }

    /** Returns the capability to run requests as tasks; empty for none. */
    public Optional<TasksCapability> tasks() {
        return Optional.ofNullable(tasksCapability);
    }

    /**
     * The capability of resources.
     *
     * @param subscribe whether clients can subscribe to them
     * @param listChanged whether changes are notified
     * @param otherMembers members that this library does not know; written back as they came
     */
    public record Resources(
            @Nullable Boolean subscribe,
            @Nullable Boolean listChanged,
            @OtherMembers JsonObject otherMembers) {
        public Resources {
            Objects.requireNonNull(otherMembers, "otherMembers");
        }

        /** Creates an instance without further members. */
        public Resources(boolean subscribe, boolean listChanged) {
            this(subscribe, listChanged, JsonObject.EMPTY);
        }
    }

    /** Returns a copy with this {@code tasks}; null removes it. */
    public ServerCapabilities withTasks(@Nullable TasksCapability tasksCapability) {
        return new ServerCapabilities(
                toolsCapability,
                resourcesCapability,
                promptsCapability,
                completionsCapability,
                loggingCapability,
                tasksCapability,
                experimental,
                extensions,
                otherMembers);
    }

    /** Returns a copy with this {@code extensions}; null removes it. */
    public ServerCapabilities withExtensions(@Nullable JsonObject extensions) {
        return new ServerCapabilities(
                toolsCapability,
                resourcesCapability,
                promptsCapability,
                completionsCapability,
                loggingCapability,
                tasksCapability,
                experimental,
                extensions,
                otherMembers);
    }

    /** Returns whether an extension is declared. */
    public boolean hasExtension(String identifier) {
        return extensions != null && TasksCapability.isObject(extensions.get(identifier));
    }
}
