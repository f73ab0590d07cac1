package dev.fairlead.opentelemetry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of tools and prompts that are there, since one of their calls gave a result. Only these
 * become names of spans and dimensions of metrics: a peer, or a model, may make up any number of
 * others. Safe for use by several threads.
 */
final class KnownTargets {
    /** How many names there may be. */
    static final int MAX = 1_000;

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    boolean contains(String name) {
        return names.contains(name);
    }

    /** A call of this name gave a result. Some more than there may be do no harm. */
    void add(String name) {
        if (names.size() < MAX) {
            names.add(name);
        }
    }
}
