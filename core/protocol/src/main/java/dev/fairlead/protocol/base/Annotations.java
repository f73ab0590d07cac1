package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;
import dev.fairlead.json.Range;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * Hints for clients on the use of content or a resource.
 *
 * @param audience the roles that it is for
 * @param priority how important it is, from 0 to 1
 * @param lastModified when it was last changed, in ISO 8601
 * @param otherMembers members that this library does not know; written back as they came
 */
public record Annotations(
        @Otherwise("[]") @Nullable List<Role> audience,
        @Range(min = 0, max = 1) @Nullable Double priority,
        @Nullable String lastModified,
        @OtherMembers JsonObject otherMembers) {
    public Annotations {
        audience = audience == null ? null : List.copyOf(audience);
        Objects.requireNonNull(otherMembers, "otherMembers");
        if (priority != null && !(priority >= 0 && priority <= 1)) {
            throw new IllegalArgumentException("priority must be from 0 to 1 but was " + priority);
        }
    }

    /** Creates an empty instance. */
    public Annotations() {
        this(null, null, null, JsonObject.EMPTY);
    }

    /** No annotation; begin here and use the {@code with} methods. */
    public static final Annotations NONE = new Annotations();

    /** Returns a copy with this {@code audience}; null removes it. */
    public Annotations withAudience(@Nullable List<Role> audience) {
        return new Annotations(audience, priority, lastModified, otherMembers);
    }

    /** Returns a copy with this {@code priority}; null removes it. */
    public Annotations withPriority(@Nullable Double priority) {
        return new Annotations(audience, priority, lastModified, otherMembers);
    }

    /** Returns a copy with this {@code lastModified}; null removes it. */
    public Annotations withLastModified(@Nullable String lastModified) {
        return new Annotations(audience, priority, lastModified, otherMembers);
    }
}
