package dev.fairlead.server.features;

import dev.fairlead.server.pagination.Feature;

import org.jspecify.annotations.Nullable;

/**
 * One step of a change of features: adds one, in the place of another one with its name, or removes
 * one, which does nothing if there is none.
 *
 * @param feature the feature to add; null to remove the one with the name
 */
public record FeatureChange<T extends Feature>(
        FeatureKind<T> kind, String name, @Nullable T feature) {
    public static <T extends Feature> FeatureChange<T> add(FeatureKind<T> kind, T feature) {
        return new FeatureChange<>(kind, feature.name(), feature);
    }

    public static <T extends Feature> FeatureChange<T> remove(FeatureKind<T> kind, String name) {
        return new FeatureChange<>(kind, name, null);
    }

    /** Returns the changed item, for messages: {@code the tool greet}. */
    public String subject() {
        return feature == null ? "no " + kind.label() + " " + name : kind.subject(name);
    }
}
