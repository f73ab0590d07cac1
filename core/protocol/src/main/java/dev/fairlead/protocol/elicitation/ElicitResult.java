package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The answer to an elicitation.
 *
 * @param action the action of the person
 * @param content the values of the form, only where it was accepted
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ElicitResult(
        @Otherwise("cancel") ElicitAction action,
        @Nullable JsonObject content,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements Result {
    public ElicitResult {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ElicitResult(ElicitAction action) {
        this(action, null, null, JsonObject.EMPTY);
    }

    /** Returns the completed form. */
    public static ElicitResult accept(JsonObject content) {
        return new ElicitResult(ElicitAction.ACCEPT).withContent(content);
    }

    /** Returns a copy with this {@code content}; null removes it. */
    public ElicitResult withContent(@Nullable JsonObject content) {
        return new ElicitResult(action, content, meta, otherMembers);
    }

    @Override
    public ElicitResult withMeta(@Nullable JsonObject meta) {
        return new ElicitResult(action, content, meta, otherMembers);
    }
}
