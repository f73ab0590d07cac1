package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;

/**
 * A task that a node is to run: one whose node died, or one that continues after an outside job.
 *
 * @param task the task, with the run that is to begin
 * @param origin the origin that the task was created with
 */
public record TakenTask(StoredTask task, RawJson origin) {}
