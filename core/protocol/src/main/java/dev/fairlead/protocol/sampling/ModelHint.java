package dev.fairlead.protocol.sampling;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A wish for a model.
 *
 * @param name a part of the name of a model
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ModelHint(@Nullable String name, @OtherMembers JsonObject otherMembers) {
    public ModelHint {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an empty instance. */
    public ModelHint() {
        this(null, JsonObject.EMPTY);
    }

    /** Returns a wish for a model whose name contains this. */
    public static ModelHint of(String name) {
        return new ModelHint().withName(name);
    }

    /** Returns a copy with this {@code name}; null removes it. */
    public ModelHint withName(@Nullable String name) {
        return new ModelHint(name, otherMembers);
    }
}
