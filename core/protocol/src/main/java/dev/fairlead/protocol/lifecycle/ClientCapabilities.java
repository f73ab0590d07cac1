package dev.fairlead.protocol.lifecycle;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.RecordConstructor;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.Optional;

/**
 * The capabilities of a client. A capability is declared by the presence of its object, even an
 * empty one.
 *
 * @param rootsCapability the client lists its roots
 * @param samplingCapability the client samples from a model
 * @param elicitationCapability the client asks the person
 * @param tasksCapability the client runs requests as tasks
 * @param experimental capabilities outside the protocol
 * @param extensions the extensions of the protocol, by identifier, each with its settings
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ClientCapabilities(
        @JsonName("roots") @Nullable ListCapability rootsCapability,
        @JsonName("sampling") @Nullable Sampling samplingCapability,
        @JsonName("elicitation") @Nullable Elicitation elicitationCapability,
        @JsonName("tasks") @Nullable TasksCapability tasksCapability,
        @Nullable JsonObject experimental,
        @Nullable JsonObject extensions,
        @OtherMembers JsonObject otherMembers) {
    static {
        RecordConstructor.register(
                MethodHandles.lookup(),
                values ->
                        new ClientCapabilities(
                                (ListCapability) values[0],
                                (Sampling) values[1],
                                (Elicitation) values[2],
                                (TasksCapability) values[3],
                                (JsonObject) values[4],
                                (JsonObject) values[5],
                                (JsonObject) values[6]));
    }

    public ClientCapabilities {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an empty instance. */
    public ClientCapabilities() {
        this(null, null, null, null, null, null, JsonObject.EMPTY);
    }

    /** A client without capabilities. */
    public static final ClientCapabilities NONE = new ClientCapabilities();

    /** Returns whether the client lists its roots. */
    public boolean roots() {
        return rootsCapability != null;
    }

    /** Returns whether the client notifies that its roots changed. */
    public boolean rootsListChanged() {
        return rootsCapability != null && Boolean.TRUE.equals(rootsCapability.listChanged());
    }

    /** Returns whether the client lets a model speak. */
    public boolean sampling() {
        return samplingCapability != null;
    }

    /** Returns whether the model may be given tools. */
    public boolean samplingTools() {
        return samplingCapability != null && samplingCapability.tools() != null;
    }

    /** Returns whether context of servers may be asked for. */
    public boolean samplingContext() {
        return samplingCapability != null && samplingCapability.context() != null;
    }

    /** Returns whether the client asks the person in any way. */
    public boolean elicitation() {
        return elicitationForm() || elicitationUrl();
    }

    /** Returns whether the client shows forms: it says so, or says nothing about how it asks. */
    public boolean elicitationForm() {
        Elicitation ways = elicitationCapability;
        return ways != null && (ways.form() != null || ways.url() == null);
    }

    /** Returns whether the client leads to pages. */
    public boolean elicitationUrl() {
        return elicitationCapability != null && elicitationCapability.url() != null;
    }

    /** Returns the capability to run requests as tasks; empty for none. */
    public Optional<TasksCapability> tasks() {
        return Optional.ofNullable(tasksCapability);
    }

    /**
     * The capability of sampling.
     *
     * @param context present if context of servers may be requested
     * @param tools present if the model may use tools
     * @param otherMembers members that this library does not know; written back as they came
     */
    public record Sampling(
            @Nullable JsonObject context,
            @Nullable JsonObject tools,
            @OtherMembers JsonObject otherMembers) {
        public Sampling {
            Objects.requireNonNull(otherMembers, "otherMembers");
        }

        /** Creates an instance without further members. */
        public Sampling(@Nullable JsonObject context, @Nullable JsonObject tools) {
            this(context, tools, JsonObject.EMPTY);
        }
    }

    /**
     * The capability of elicitation; with neither member by forms.
     *
     * @param form present if the client shows forms
     * @param url present if the client leads to pages
     * @param otherMembers members that this library does not know; written back as they came
     */
    public record Elicitation(
            @Nullable JsonObject form,
            @Nullable JsonObject url,
            @OtherMembers JsonObject otherMembers) {
        public Elicitation {
            Objects.requireNonNull(otherMembers, "otherMembers");
        }

        /** Creates an instance without further members. */
        public Elicitation(@Nullable JsonObject form, @Nullable JsonObject url) {
            this(form, url, JsonObject.EMPTY);
        }
    }

    /** Returns a copy with this {@code roots}; null removes it. */
    public ClientCapabilities withRoots(@Nullable ListCapability rootsCapability) {
        return new ClientCapabilities(
                rootsCapability,
                samplingCapability,
                elicitationCapability,
                tasksCapability,
                experimental,
                extensions,
                otherMembers);
    }

    /** Returns a copy with this {@code tasks}; null removes it. */
    public ClientCapabilities withTasks(@Nullable TasksCapability tasksCapability) {
        return new ClientCapabilities(
                rootsCapability,
                samplingCapability,
                elicitationCapability,
                tasksCapability,
                experimental,
                extensions,
                otherMembers);
    }

    /** Returns a copy with this {@code extensions}; null removes it. */
    public ClientCapabilities withExtensions(@Nullable JsonObject extensions) {
        return new ClientCapabilities(
                rootsCapability,
                samplingCapability,
                elicitationCapability,
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
