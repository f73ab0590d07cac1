package dev.fairlead.tasks;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * An event of a task for the audit log, without the contents of the task.
 *
 * @param owner the requestor that did it, or whose task it is
 * @param task null where no task came about
 * @param name the item to run, such as the tool; null where that is not known
 * @param detail more for people, such as the reason of a refusal; null where there is none
 */
public record TaskEvent(
        Kind kind,
        Instant time,
        Owner owner,
        @Nullable TaskId task,
        @Nullable String name,
        @Nullable String detail) {
    /** The kind of an event. */
    public enum Kind {
        CREATED,
        /** The state was read. */
        READ,
        /** The outcome was fetched. */
        RESULT_READ,
        LISTED,
        CANCELLED,
        /** The task ended with an outcome. */
        FINISHED,
        EXPIRED,
        PARKED,
        /** The node of the task died and it runs again here. */
        TAKEN_OVER,
        /** The node of the task died and it may not run again. */
        ORPHANED,
        /** The task, or an operation on it, was refused. */
        REFUSED,
        /** An owner looks up unknown tasks, or polls too often; logged as a warning. */
        SUSPICIOUS
    }
}
