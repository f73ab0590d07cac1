package dev.fairlead.tasks;

import dev.fairlead.protocol.Owner;

import java.util.TreeMap;

/** The tasks of an owner in an {@link InMemoryTaskStore}, which guards them with its lock. */
final class MemoryOwner {
    final String key;
    final String access;

    /** What has not expired, by the order of creation. */
    final TreeMap<Long, MemoryTask> listed = new TreeMap<>();

    /** How many have not ended. */
    int active;

    MemoryOwner(Owner owner) {
        key = owner.key();
        access = owner.access();
    }
}
