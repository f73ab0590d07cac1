package dev.fairlead.tasks;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Some tasks of an owner, in the order of their creation.
 *
 * @param next where the next page begins, opaque; null where there is none
 */
public record TaskPage(List<StoredTask> tasks, @Nullable String next) {
    public TaskPage {
        tasks = List.copyOf(tasks);
    }
}
