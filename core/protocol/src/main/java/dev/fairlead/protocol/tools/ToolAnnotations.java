package dev.fairlead.protocol.tools;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Hints of a tool about its effects, not to be trusted unless its server is.
 *
 * @param title the name for people
 * @param readOnlyHint whether it changes nothing; null means false
 * @param destructiveHint whether its changes may destroy something; null means true
 * @param idempotentHint whether a repeated call changes nothing more; null means false
 * @param openWorldHint whether it deals with a world beyond the server; null means true
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ToolAnnotations(
        @Nullable String title,
        @Nullable Boolean readOnlyHint,
        @Nullable Boolean destructiveHint,
        @Nullable Boolean idempotentHint,
        @Nullable Boolean openWorldHint,
        @OtherMembers JsonObject otherMembers) {
    public ToolAnnotations {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an empty instance. */
    public ToolAnnotations() {
        this(null, null, null, null, null, JsonObject.EMPTY);
    }

    /** No hint; begin here and use the {@code with} methods. */
    public static final ToolAnnotations NONE = new ToolAnnotations();

    /** Returns whether the tool says that it changes nothing. */
    public boolean isReadOnly() {
        return Boolean.TRUE.equals(readOnlyHint);
    }

    /** Returns whether the tool may destroy something. */
    public boolean isDestructive() {
        return !isReadOnly() && !Boolean.FALSE.equals(destructiveHint);
    }

    /** Returns whether the tool says that a repeated call changes nothing more. */
    public boolean isIdempotent() {
        return Boolean.TRUE.equals(idempotentHint);
    }

    /** Returns whether the tool may deal with a world beyond the server. */
    public boolean isOpenWorld() {
        return !Boolean.FALSE.equals(openWorldHint);
    }

    /** Returns a copy with this {@code title}; null removes it. */
    public ToolAnnotations withTitle(@Nullable String title) {
        return new ToolAnnotations(
                title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint, otherMembers);
    }

    /** Returns a copy with this {@code readOnlyHint}; null removes it. */
    public ToolAnnotations withReadOnlyHint(@Nullable Boolean readOnlyHint) {
        return new ToolAnnotations(
                title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint, otherMembers);
    }

    /** Returns a copy with this {@code destructiveHint}; null removes it. */
    public ToolAnnotations withDestructiveHint(@Nullable Boolean destructiveHint) {
        return new ToolAnnotations(
                title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint, otherMembers);
    }

    /** Returns a copy with this {@code idempotentHint}; null removes it. */
    public ToolAnnotations withIdempotentHint(@Nullable Boolean idempotentHint) {
        return new ToolAnnotations(
                title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint, otherMembers);
    }

    /** Returns a copy with this {@code openWorldHint}; null removes it. */
    public ToolAnnotations withOpenWorldHint(@Nullable Boolean openWorldHint) {
        return new ToolAnnotations(
                title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint, otherMembers);
    }
}
