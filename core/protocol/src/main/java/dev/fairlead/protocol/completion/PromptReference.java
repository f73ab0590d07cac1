package dev.fairlead.protocol.completion;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A prompt whose argument is completed.
 *
 * @param name the prompt
 * @param title its name for people
 * @param otherMembers members that this library does not know; written back as they came
 */
@JsonName("ref/prompt")
public record PromptReference(
        String name, @Nullable String title, @OtherMembers JsonObject otherMembers)
        implements Reference {
    public PromptReference {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public PromptReference(String name) {
        this(name, null, JsonObject.EMPTY);
    }

    /** Returns a copy for this prompt. */
    public PromptReference withName(String name) {
        return new PromptReference(name, title, otherMembers);
    }

    /** Returns a copy with this {@code title}; null removes it. */
    public PromptReference withTitle(@Nullable String title) {
        return new PromptReference(name, title, otherMembers);
    }
}
