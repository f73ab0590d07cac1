package dev.fairlead.tasks;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A page of the tasks of an owner, in the order of their creation.
 *
 * @param next the cursor of the next page, opaque; null on the last page
 */
public record TaskPage(List<StoredTask> tasks, @Nullable String next) {
    public TaskPage {
        tasks = List.copyOf(tasks);
    }
}
