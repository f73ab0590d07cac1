package dev.fairlead.protocol.prompts;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * An argument of a prompt.
 *
 * @param name the name for programs
 * @param title the name for people
 * @param description its meaning
 * @param required whether it must be given; null means that it need not
 * @param otherMembers members that this library does not know; written back as they came
 */
public record PromptArgument(
        String name,
        @Nullable String title,
        @Nullable String description,
        @Nullable Boolean required,
        @OtherMembers JsonObject otherMembers) {
    public PromptArgument {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public PromptArgument(String name) {
        this(name, null, null, null, JsonObject.EMPTY);
    }

    /** Returns the text to show to a user: the title, or else the name. */
    public String displayName() {
        return title == null ? name : title;
    }

    /** Returns whether the argument must be given. */
    public boolean isRequired() {
        return Boolean.TRUE.equals(required);
    }

    /** Returns a copy with this {@code title}; null removes it. */
    public PromptArgument withTitle(@Nullable String title) {
        return new PromptArgument(name, title, description, required, otherMembers);
    }

    /** Returns a copy with this {@code description}; null removes it. */
    public PromptArgument withDescription(@Nullable String description) {
        return new PromptArgument(name, title, description, required, otherMembers);
    }

    /** Returns a copy with this {@code required}; null removes it. */
    public PromptArgument withRequired(@Nullable Boolean required) {
        return new PromptArgument(name, title, description, required, otherMembers);
    }
}
