package dev.fairlead.protocol.tools;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;
import dev.fairlead.protocol.tasks.TaskMetadata;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code tools/call}.
 *
 * @param name the tool
 * @param arguments its arguments; null stands for none
 * @param task asks for a task; null for a plain call
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record CallToolRequest(
        String name,
        @Nullable JsonObject arguments,
        @Nullable TaskMetadata task,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements TaskAugmentedRequest {
    public CallToolRequest {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Returns the arguments; empty for none. */
    @Override
    public JsonObject arguments() {
        return arguments == null ? JsonObject.EMPTY : arguments;
    }

    /** Creates a plain call. */
    public CallToolRequest(String name, JsonObject arguments) {
        this(name, arguments, null, null, JsonObject.EMPTY);
    }

    /** Returns a copy that calls this tool. */
    public CallToolRequest withName(String name) {
        return new CallToolRequest(name, arguments, task, meta, otherMembers);
    }

    /** Returns a copy with these arguments. */
    public CallToolRequest withArguments(JsonObject arguments) {
        return new CallToolRequest(name, arguments, task, meta, otherMembers);
    }

    @Override
    public CallToolRequest withTask(@Nullable TaskMetadata task) {
        return new CallToolRequest(name, arguments, task, meta, otherMembers);
    }

    @Override
    public CallToolRequest withMeta(@Nullable JsonObject meta) {
        return new CallToolRequest(name, arguments, task, meta, otherMembers);
    }
}
