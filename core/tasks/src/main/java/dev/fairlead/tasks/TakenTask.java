package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;

/**
 * A task that a node is to run: one whose node died, or one that continues after an outside job.
 *
 * @param task with the run that is to begin
 * @param origin what it was created with
 */
public record TakenTask(StoredTask task, RawJson origin) {}
