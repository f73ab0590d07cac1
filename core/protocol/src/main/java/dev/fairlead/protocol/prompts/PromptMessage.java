package dev.fairlead.protocol.prompts;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.content.Content;

import java.util.Objects;

/**
 * A message of a prompt: one block of content.
 *
 * @param role the author
 * @param content the content
 * @param otherMembers members that this library does not know; written back as they came
 */
public record PromptMessage(
        @Otherwise("user") Role role, Content content, @OtherMembers JsonObject otherMembers) {
    public PromptMessage {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(content, "content");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public PromptMessage(Role role, Content content) {
        this(role, content, JsonObject.EMPTY);
    }

    /** Returns a text of the user. */
    public static PromptMessage user(String text) {
        return user(Content.text(text));
    }

    /** Returns content of the user. */
    public static PromptMessage user(Content content) {
        return new PromptMessage(Role.USER, content);
    }

    /** Returns a text of the assistant. */
    public static PromptMessage assistant(String text) {
        return assistant(Content.text(text));
    }

    /** Returns content of the assistant. */
    public static PromptMessage assistant(Content content) {
        return new PromptMessage(Role.ASSISTANT, content);
    }
}
