package dev.fairlead.protocol.sampling;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * States whether a model may or must use tools.
 *
 * @param mode null means {@link Mode#AUTO}
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ToolChoice(
        @Otherwise("auto") @Nullable Mode mode, @OtherMembers JsonObject otherMembers) {
    public ToolChoice {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an empty instance. */
    public ToolChoice() {
        this(null, JsonObject.EMPTY);
    }

    /** Returns a choice of this mode. */
    public static ToolChoice of(Mode mode) {
        return new ToolChoice().withMode(mode);
    }

    /** The choice that a model has. */
    public enum Mode {
        /** The model decides. */
        @JsonName("auto")
        AUTO,
        /** The model must use at least one tool. */
        @JsonName("required")
        REQUIRED,
        /** The model must not use tools. */
        @JsonName("none")
        NONE
    }

    /** Returns a copy with this {@code mode}; null removes it. */
    public ToolChoice withMode(@Nullable Mode mode) {
        return new ToolChoice(mode, otherMembers);
    }
}
