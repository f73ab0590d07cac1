package dev.fairlead.auth.client;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** A set of scopes, in the order in which they were named. */
record Scopes(Set<String> names) {
    static final Scopes NONE = new Scopes(Set.of());

    Scopes {
        names = Collections.unmodifiableSet(new LinkedHashSet<>(names));
    }

    static Scopes of(Collection<String> names) {
        return new Scopes(new LinkedHashSet<>(names));
    }

    /** Reads scopes between spaces. */
    static Scopes parse(String text) {
        return of(Arrays.stream(text.split(" ")).filter(name -> !name.isEmpty()).toList());
    }

    Scopes with(Scopes others) {
        Set<String> union = new LinkedHashSet<>(names);
        union.addAll(others.names);
        return new Scopes(union);
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    boolean contains(Scopes others) {
        return names.containsAll(others.names);
    }

    /** The scopes with a space between each. */
    @Override
    public String toString() {
        return String.join(" ", names);
    }
}
