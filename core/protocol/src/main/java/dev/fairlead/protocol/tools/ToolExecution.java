package dev.fairlead.protocol.tools;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The kind of calls of a tool.
 *
 * @param taskSupport whether it may be called as a task; null means {@link TaskSupport#FORBIDDEN}
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ToolExecution(
        @Nullable TaskSupport taskSupport, @OtherMembers JsonObject otherMembers) {
    public ToolExecution {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an empty instance. */
    public ToolExecution() {
        this(null, JsonObject.EMPTY);
    }

    /** Returns a copy with this {@code taskSupport}; null removes it. */
    public ToolExecution withTaskSupport(@Nullable TaskSupport taskSupport) {
        return new ToolExecution(taskSupport, otherMembers);
    }
}
