package dev.fairlead.tasks;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The tasks of all owners and nodes in a store, for operators; it must never serve a requestor. In
 * a database the cost of a method depends on its limit alone, however many tasks there are.
 */
public interface TaskOverview {
    /**
     * Returns tasks that have neither ended nor expired, those first that expire last.
     *
     * @param limit the most tasks
     */
    List<Seen> open(int limit);

    /** Returns tasks that have ended and not expired, in the same order. */
    List<Seen> ended(int limit);

    /**
     * A task as operators see it.
     *
     * @param node the name of the node that holds its run; null where none does
     * @param question the method of the first open question; null if there is none
     */
    record Seen(StoredTask task, @Nullable String node, @Nullable String question) {}
}
