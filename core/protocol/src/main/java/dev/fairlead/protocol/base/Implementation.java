package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.RecordConstructor;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;

/**
 * Describes the program of a client or server.
 *
 * @param name the name for programs
 * @param version its version
 * @param title the name for people
 * @param description its purpose
 * @param websiteUrl a page with more information
 * @param icons its icons
 * @param otherMembers members that this library does not know; written back as they came
 */
public record Implementation(
        String name,
        String version,
        @Nullable String title,
        @Nullable String description,
        @Nullable String websiteUrl,
        @Nullable List<Icon> icons,
        @OtherMembers JsonObject otherMembers) {
    static {
        RecordConstructor.register(MethodHandles.lookup(), Implementation::of);
    }

    public Implementation {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(version, "version");
        icons = icons == null ? null : List.copyOf(icons);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the constructor checks
    private static Implementation of(@Nullable Object[] values) {
        return new Implementation(
                (String) values[0],
                (String) values[1],
                (String) values[2],
                (String) values[3],
                (String) values[4],
                (List<Icon>) values[5],
                (JsonObject) values[6]);
    }

    /** Creates an instance without the optional members. */
    public Implementation(String name, String version) {
        this(name, version, null, null, null, null, JsonObject.EMPTY);
    }

    /** Returns the text to show to a user: the title, or else the name. */
    public String displayName() {
        return title == null ? name : title;
    }

    /** Returns a copy with this {@code title}; null removes it. */
    public Implementation withTitle(@Nullable String title) {
        return new Implementation(
                name, version, title, description, websiteUrl, icons, otherMembers);
    }

    /** Returns a copy with this {@code description}; null removes it. */
    public Implementation withDescription(@Nullable String description) {
        return new Implementation(
                name, version, title, description, websiteUrl, icons, otherMembers);
    }

    /** Returns a copy with this {@code websiteUrl}; null removes it. */
    public Implementation withWebsiteUrl(@Nullable String websiteUrl) {
        return new Implementation(
                name, version, title, description, websiteUrl, icons, otherMembers);
    }

    /** Returns a copy with this {@code icons}; null removes it. */
    public Implementation withIcons(@Nullable List<Icon> icons) {
        return new Implementation(
                name, version, title, description, websiteUrl, icons, otherMembers);
    }
}
