package dev.fairlead.tasks;

import dev.fairlead.protocol.Owner;

import org.jspecify.annotations.Nullable;

import java.util.TreeMap;

/** The tasks of an owner in an {@link InMemoryTaskStore}, guarded by its lock. */
final class MemoryOwner {
    final boolean anonymous;
    final String key;
    final String access;

    /** The tasks that have not expired, in the order of their creation. */
    final TreeMap<Long, MemoryTask> listed = new TreeMap<>();

    /** The number of tasks that have not ended. */
    int active;

    /** The bytes of all tasks that have not expired. */
    long bytes;

    MemoryOwner(Owner owner) {
        anonymous = owner instanceof Owner.Anonymous;
        key = owner.key();
        access = owner.access();
    }

    int size() {
        return listed.size();
    }

    /** Returns the oldest task that has ended; null if none has. */
    @Nullable MemoryTask oldestEnded() {
        return listed.size() == active
                ? null
                : listed.values().stream().filter(MemoryTask::isEnded).findFirst().orElse(null);
    }
}
