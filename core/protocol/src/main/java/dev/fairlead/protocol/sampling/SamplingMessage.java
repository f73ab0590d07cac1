package dev.fairlead.protocol.sampling;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonOneOrMany;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.content.SamplingContent;
import dev.fairlead.protocol.content.TextContent;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * A message to or from a model.
 *
 * @param role the author
 * @param content the content, one block or several
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record SamplingMessage(
        @Otherwise("user") Role role,
        @JsonOneOrMany List<SamplingContent> content,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers) {
    public SamplingMessage {
        Objects.requireNonNull(role, "role");
        content = List.copyOf(content);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public SamplingMessage(Role role, List<SamplingContent> content) {
        this(role, content, null, JsonObject.EMPTY);
    }

    /** Returns a text of the user. */
    public static SamplingMessage user(String text) {
        return user(new TextContent(text));
    }

    /** Returns content of the user. */
    public static SamplingMessage user(SamplingContent... content) {
        return new SamplingMessage(Role.USER, List.of(content));
    }

    /** Returns a text of the assistant. */
    public static SamplingMessage assistant(String text) {
        return assistant(new TextContent(text));
    }

    /** Returns content of the assistant. */
    public static SamplingMessage assistant(SamplingContent... content) {
        return new SamplingMessage(Role.ASSISTANT, List.of(content));
    }

    /** Returns the text blocks, each on lines of its own; empty if there are none. */
    public String text() {
        return TextContent.join(content);
    }
}
