package dev.fairlead.protocol;

import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.tasks.CreateTaskResult;

import java.util.Objects;

/**
 * The end of a method without an error.
 *
 * @param <R> the result of the method
 */
public sealed interface Outcome<R> {
    /** An end with the result. */
    record Complete<R>(R result) implements Outcome<R> {
        public Complete {
            Objects.requireNonNull(result, "result");
        }
    }

    /** An end with a task, whose answer takes the place of the result. */
    record TaskCreated<R>(CreateTaskResult task) implements Outcome<R> {
        public TaskCreated {
            Objects.requireNonNull(task, "task");
        }
    }

    /**
     * An end with questions to the client, which take the place of the result; since revision
     * 2026-07-28.
     */
    record InputRequired<R>(InputRequiredResult input) implements Outcome<R> {
        public InputRequired {
            Objects.requireNonNull(input, "input");
        }
    }

    /** Returns an end with this result. */
    static <R> Outcome<R> complete(R result) {
        return new Complete<>(result);
    }
}
