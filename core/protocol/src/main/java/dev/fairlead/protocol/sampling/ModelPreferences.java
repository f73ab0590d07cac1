package dev.fairlead.protocol.sampling;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * Preferences of a server for a model; advice to the client.
 *
 * @param hints models by name, the most wanted first
 * @param costPriority the weight of low cost, from 0 to 1
 * @param speedPriority the weight of speed, from 0 to 1
 * @param intelligencePriority the weight of capability, from 0 to 1
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ModelPreferences(
        @Nullable List<ModelHint> hints,
        @Nullable Double costPriority,
        @Nullable Double speedPriority,
        @Nullable Double intelligencePriority,
        @OtherMembers JsonObject otherMembers) {
    public ModelPreferences {
        hints = hints == null ? null : List.copyOf(hints);
        Objects.requireNonNull(otherMembers, "otherMembers");
        checkPriority("costPriority", costPriority);
        checkPriority("speedPriority", speedPriority);
        checkPriority("intelligencePriority", intelligencePriority);
    }

    /** Creates an empty instance. */
    public ModelPreferences() {
        this(null, null, null, null, JsonObject.EMPTY);
    }

    /** No preference; begin here and use the {@code with} methods. */
    public static final ModelPreferences NONE = new ModelPreferences();

    private static void checkPriority(String name, @Nullable Double priority) {
        if (priority != null && !(priority >= 0 && priority <= 1)) {
            throw new IllegalArgumentException(name + " must be from 0 to 1 but was " + priority);
        }
    }

    /** Returns a copy with this {@code hints}; null removes it. */
    public ModelPreferences withHints(@Nullable List<ModelHint> hints) {
        return new ModelPreferences(
                hints, costPriority, speedPriority, intelligencePriority, otherMembers);
    }

    /** Returns a copy with this {@code costPriority}; null removes it. */
    public ModelPreferences withCostPriority(@Nullable Double costPriority) {
        return new ModelPreferences(
                hints, costPriority, speedPriority, intelligencePriority, otherMembers);
    }

    /** Returns a copy with this {@code speedPriority}; null removes it. */
    public ModelPreferences withSpeedPriority(@Nullable Double speedPriority) {
        return new ModelPreferences(
                hints, costPriority, speedPriority, intelligencePriority, otherMembers);
    }

    /** Returns a copy with this {@code intelligencePriority}; null removes it. */
    public ModelPreferences withIntelligencePriority(@Nullable Double intelligencePriority) {
        return new ModelPreferences(
                hints, costPriority, speedPriority, intelligencePriority, otherMembers);
    }
}
