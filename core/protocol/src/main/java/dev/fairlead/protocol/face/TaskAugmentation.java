package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;

import org.jspecify.annotations.Nullable;

/** Distinguishes requests and answers that are about a task from plain ones. */
final class TaskAugmentation {
    static final String TASK = "task";

    private TaskAugmentation() {}

    /** Returns whether requests of this method may ask for a task. */
    static boolean isPossible(Method<?, ?> method) {
        return TaskAugmentedRequest.class.isAssignableFrom(method.params());
    }

    /** Returns the parameters without {@code task}; the given ones if they have none. */
    static @Nullable RawJson without(@Nullable RawJson params) {
        return params != null && object(params) instanceof JsonObject object && object.has(TASK)
                ? RawJson.of(object.without(TASK))
                : params;
    }

    private static @Nullable JsonObject object(RawJson json) {
        try {
            return json.value() instanceof JsonObject object ? object : null;
        } catch (JsonException e) {
            return null;
        }
    }

    /** Returns the parameters without {@code task}. */
    static RequestParams without(RequestParams params) {
        return params instanceof TaskAugmentedRequest request && request.task() != null
                ? request.withTask(null)
                : params;
    }

    /** Returns whether a request was answered by a task. */
    static boolean isCreated(RawJson result) {
        return object(result) instanceof JsonObject object
                && object.get(TASK) instanceof JsonObject;
    }
}
