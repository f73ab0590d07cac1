package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;

import org.jspecify.annotations.Nullable;

import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A question that a run asks its requestor. A run may have several open at once.
 *
 * @param ordinal the number of the question in its run, counted from 1: the same in every run, and
 *     never used for another question of the task
 * @param digest the digest of method and parameters; another digest under the same ordinal is a
 *     mismatch
 * @param method the method, such as {@code elicitation/create}
 * @param params its parameters, an object: the JSON of their record, independent of the revision
 * @param delivery the current delivery; null for none
 */
public record TaskQuestion(
        int ordinal, String digest, String method, RawJson params, @Nullable Delivery delivery) {
    /** The answer to a question that was withdrawn before the requestor had answered it. */
    public static final TaskOutcome.Error WITHDRAWN =
            new TaskOutcome.Error(
                    new JsonRpcError(ErrorCode.INTERNAL_ERROR, "The question was withdrawn"));

    private static final Pattern KEY = Pattern.compile("q[1-9][0-9]{0,8}");

    /**
     * Returns the key of the question in messages with several questions or answers: {@code q} and
     * its ordinal.
     */
    public String key() {
        return "q" + ordinal;
    }

    /** Returns the ordinal in a key; empty for a text that is not a key. */
    public static OptionalInt ordinal(String key) {
        return KEY.matcher(key).matches()
                ? OptionalInt.of(Integer.parseInt(key.substring(1)))
                : OptionalInt.empty();
    }

    /**
     * One live delivery of a question.
     *
     * @param id random; names the delivery
     * @param onResultStream whether it goes out on an open {@code tasks/result}
     */
    public record Delivery(String id, boolean onResultStream) {}

    /** The state of a question that a run asks. */
    public sealed interface Asked {
        /** The question is stored and open. */
        record Open() implements Asked {}

        /** The question was answered before, in this run or an earlier one. */
        record Answered(TaskOutcome answer) implements Asked {}

        /** An earlier run asked another question under this ordinal. */
        record Mismatch() implements Asked {}

        /** The run no longer holds the task. */
        record Lost() implements Asked {}
    }
}
