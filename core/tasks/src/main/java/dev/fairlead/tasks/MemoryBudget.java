package dev.fairlead.tasks;

import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;

import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of the contents of an {@link InMemoryTaskStore}, up to a limit; guarded by its
 * lock.
 */
final class MemoryBudget {
    private final long most;
    private long taken;

    MemoryBudget(long most) {
        this.most = most;
    }

    boolean hasRoomFor(long bytes) {
        return bytes <= 0 || taken + bytes <= most;
    }

    /** Returns whether bytes would fit into an empty store. */
    boolean canHold(long bytes) {
        return bytes <= most;
    }

    /** Returns a part of the limit in bytes. */
    long part(int divisor) {
        return most / divisor;
    }

    String refusal(long bytes) {
        return "The store is full: it has %s bytes of at most %s, and there are %s more to store"
                .formatted(taken, most, bytes);
    }

    /** Counts stored bytes; a negative number frees them. */
    void take(long bytes) {
        taken += bytes;
    }

    static long of(@Nullable String text) {
        return text == null ? 0 : 2L * text.length();
    }

    static long of(@Nullable TaskOutcome outcome) {
        return switch (outcome) {
            case null -> 0;
            case TaskOutcome.Result result -> result.value().size();
            case TaskOutcome.Error error -> of(error.error().message()) + of(error.error().data());
        };
    }

    private static long of(@Nullable JsonValue tree) {
        return tree == null ? 0 : RawJson.of(tree).size();
    }
}
