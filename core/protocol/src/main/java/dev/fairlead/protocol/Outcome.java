package dev.fairlead.protocol;

import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.tasks.CreateTaskResult;

import java.util.Objects;

/**
 * How a method ended without an error.
 *
 * @param <R> the result of the method
 */
public sealed interface Outcome<R> {
    /** With its result. */
    record Complete<R>(R result) implements Outcome<R> {
        public Complete {
            Objects.requireNonNull(result, "result");
        }
    }

    /** It became a task, and this is the answer in place of the result. */
    record TaskCreated<R>(CreateTaskResult task) implements Outcome<R> {
        public TaskCreated {
            Objects.requireNonNull(task, "task");
        }
    }

    /**
     * It needs input of the client first, and this is the answer in place of the result; since
     * revision 2026-07-28.
     */
    record InputRequired<R>(InputRequiredResult input) implements Outcome<R> {
        public InputRequired {
            Objects.requireNonNull(input, "input");
        }
    }

    /** An end with this result. */
    static <R> Outcome<R> complete(R result) {
        return new Complete<>(result);
    }
}
