package dev.fairlead.server;

import dev.fairlead.server.features.FeatureChange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A chain of declarations: those that have ended, and the one that has no handler yet. Not
 * thread-safe.
 *
 * @param <F> the features on which the chain continues after a declaration
 */
final class Chain<F> {
    private final Supplier<F> features;
    private final List<FeatureChange<?>> changes = new ArrayList<>();
    private final Set<String> subjects = new HashSet<>();
    private @Nullable String open; // the subject of the declaration without a handler

    Chain(Supplier<F> features) {
        this.features = features;
    }

    void begin(String subject) {
        requireNothingOpen();
        open = subject;
    }

    /** Ends the declaration that is open, and returns to its features. */
    F end(FeatureChange<?> change) {
        if (!change.subject().equals(open)) {
            throw new IllegalStateException(change.subject() + " is already declared");
        }
        open = null;
        return add(change);
    }

    /** Adds a change beside the declarations. */
    F add(FeatureChange<?> change) {
        requireNothingOpen();
        if (!subjects.add(change.subject())) {
            throw new IllegalArgumentException(change.subject() + " is declared twice");
        }
        changes.add(change);
        return features.get();
    }

    private void requireNothingOpen() {
        if (open != null) {
            throw new IllegalStateException(open + " has no handle(…)");
        }
    }

    /** Returns all changes, in order. */
    List<FeatureChange<?>> changes() {
        requireNothingOpen();
        return List.copyOf(changes);
    }
}
