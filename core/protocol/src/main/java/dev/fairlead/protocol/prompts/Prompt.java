package dev.fairlead.protocol.prompts;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.Icon;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * A prompt as its server defines it.
 *
 * @param name the name for programs
 * @param title the name for people
 * @param description its purpose
 * @param arguments its arguments
 * @param icons its icons
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record Prompt(
        String name,
        @Nullable String title,
        @Nullable String description,
        @Nullable List<PromptArgument> arguments,
        @Nullable List<Icon> icons,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers) {
    public Prompt {
        Objects.requireNonNull(name, "name");
        arguments = arguments == null ? null : List.copyOf(arguments);
        icons = icons == null ? null : List.copyOf(icons);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public Prompt(String name) {
        this(name, null, null, null, null, null, JsonObject.EMPTY);
    }

    /** Returns the text to show to a user: the title, or else the name. */
    public String displayName() {
        return title == null ? name : title;
    }

    /** Returns a copy with this name. */
    public Prompt withName(String name) {
        return new Prompt(name, title, description, arguments, icons, meta, otherMembers);
    }

    /** Returns a copy with this {@code title}; null removes it. */
    public Prompt withTitle(@Nullable String title) {
        return new Prompt(name, title, description, arguments, icons, meta, otherMembers);
    }

    /** Returns a copy with this {@code description}; null removes it. */
    public Prompt withDescription(@Nullable String description) {
        return new Prompt(name, title, description, arguments, icons, meta, otherMembers);
    }

    /** Returns a copy with this {@code arguments}; null removes it. */
    public Prompt withArguments(@Nullable List<PromptArgument> arguments) {
        return new Prompt(name, title, description, arguments, icons, meta, otherMembers);
    }

    /** Returns a copy with this {@code icons}; null removes it. */
    public Prompt withIcons(@Nullable List<Icon> icons) {
        return new Prompt(name, title, description, arguments, icons, meta, otherMembers);
    }

    /** Returns a copy with this {@code _meta}; null removes it. */
    public Prompt withMeta(@Nullable JsonObject meta) {
        return new Prompt(name, title, description, arguments, icons, meta, otherMembers);
    }
}
