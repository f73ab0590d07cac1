package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;

import org.jspecify.annotations.Nullable;

/**
 * A question that a run asks its requestor.
 *
 * @param ordinal the how-manieth question of the run, from 1: the same in every run
 * @param digest of method and parameters; another digest under the same ordinal is a mismatch
 * @param method such as {@code elicitation/create}
 * @param params its parameters, an object
 * @param delivery who delivers it now; null while nobody does
 */
public record TaskQuestion(
        int ordinal, String digest, String method, RawJson params, @Nullable Delivery delivery) {

    /**
     * One live delivery of a question.
     *
     * @param id random; names the delivery
     * @param onResultStream whether it goes out on an open {@code tasks/result}
     */
    public record Delivery(String id, boolean onResultStream) {}

    /** What became of asking. */
    public sealed interface Asked {
        /** It is stored and open. */
        record Open() implements Asked {}

        /** It was answered before, in this run or an earlier one. */
        record Answered(TaskOutcome answer) implements Asked {}

        /** An earlier run asked something else at this place. */
        record Mismatch() implements Asked {}

        /** The run no longer holds the task. */
        record Lost() implements Asked {}
    }
}
