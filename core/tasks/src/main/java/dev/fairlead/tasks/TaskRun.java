package dev.fairlead.tasks;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;

/**
 * One run of a task. Every change that a run makes names it, and changes nothing once another run
 * has begun or the task has ended.
 *
 * @param number from 1
 */
public record TaskRun(Owner owner, TaskId id, long number) {}
