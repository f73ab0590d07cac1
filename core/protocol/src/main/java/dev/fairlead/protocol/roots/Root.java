package dev.fairlead.protocol.roots;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A directory or file that a server may work in.
 *
 * @param uri a {@code file} URI
 * @param name the name for people
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record Root(
        String uri,
        @Nullable String name,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers) {
    public Root {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(otherMembers, "otherMembers");
        if (!uri.regionMatches(true, 0, "file://", 0, 7)) {
            throw new IllegalArgumentException("uri must begin with file:// but was " + uri);
        }
    }

    /** Creates an instance without the optional members. */
    public Root(String uri) {
        this(uri, null, null, JsonObject.EMPTY);
    }

    /** Returns the root of this path. */
    public static Root of(Path path) {
        return new Root(path.toAbsolutePath().normalize().toUri().toString());
    }

    /** Returns the root of this path with a name for people. */
    public static Root of(Path path, String name) {
        return of(path).withName(name);
    }

    /**
     * Returns the path on this machine.
     *
     * @throws IllegalArgumentException if the URI is not a path on this machine
     */
    public Path path() {
        return Path.of(URI.create(uri));
    }

    /** Returns a copy with this {@code name}; null removes it. */
    public Root withName(@Nullable String name) {
        return new Root(uri, name, meta, otherMembers);
    }
}
