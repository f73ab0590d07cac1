package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;

import java.util.Objects;

/** The end of a task, or the answer to a question: a result or an error of the protocol. */
public sealed interface TaskOutcome {
    /** Returns the state of a task with this end. */
    TaskState state();

    /**
     * A result.
     *
     * @param value the result that the plain request would have returned, an object; in stores the
     *     JSON of its record, independent of the revision
     * @param failure whether the result itself reports that the work failed
     */
    record Result(RawJson value, boolean failure) implements TaskOutcome {
        public Result {
            Objects.requireNonNull(value, "value");
        }

        @Override
        public TaskState state() {
            return failure ? TaskState.FAILURE : TaskState.RESULT;
        }
    }

    /** An error of the protocol, kept unchanged. */
    record Error(JsonRpcError error) implements TaskOutcome {
        public Error {
            Objects.requireNonNull(error, "error");
        }

        @Override
        public TaskState state() {
            return TaskState.ERROR;
        }
    }
}
