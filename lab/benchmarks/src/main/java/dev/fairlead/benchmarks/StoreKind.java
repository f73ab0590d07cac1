package dev.fairlead.benchmarks;

import java.util.Locale;

/** The stores of tasks. */
enum StoreKind {
    MEMORY,
    SQLITE,
    POSTGRES;

    boolean isDurable() {
        return this != MEMORY;
    }

    static StoreKind named(String name) {
        try {
            return valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "a store is one of memory, sqlite, postgres but was " + name, e);
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
